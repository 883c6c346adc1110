import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openPage, signIn } from './support/browser.ts'
import { query } from './support/database.ts'
import {
  connectNumber,
  endLogin,
  FIRST_NUMBER as FIRST,
  prepareLogin,
  type WhatsAppWorld,
  whatsAppOf,
} from './support/whatsapp.ts'

let app: App
let world: WhatsAppWorld

beforeAll(async () => {
  app = await startApp()
  world = await whatsAppOf(app)
})
afterAll(() => app.dispose())
beforeEach(async () => {
  await query(app, 'delete from whatsapp_connections')
  await query(app, 'delete from rate_limits')
})

const heading = (page: Page) =>
  page.getByRole('heading', { level: 1, name: 'Connessione WhatsApp Business' })
const badge = (page: Page, word: string) => page.getByText(word, { exact: true })

describe('a pharmacy', () => {
  it('connects its number in three clicks, on a page that alone may load the script', async () => {
    const page = await openPage(app)
    await signIn(page)
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(app.url)) foreign.push(new URL(request.url()).pathname)
    })
    await page.getByTitle('Connetti WhatsApp').click()
    await heading(page).waitFor()
    await page.getByText('Nessun numero collegato').waitFor()
    expect(foreign).toEqual([])
    await prepareLogin(page)
    expect(foreign).toEqual(['/it_IT/sdk.js'])
    await endLogin(page, FIRST)
    await page.getByText('Connesso con successo!').waitFor()
    await badge(page, 'Connesso').waitFor()
    await page.getByText('+39 041 520 1234').waitFor()

    await world.receive('IT.1')
    await expect
      .poll(async () => {
        await page.reload()
        await badge(page, 'Connesso').waitFor()
        return page.getByText('Ultimo messaggio ricevuto').locator('xpath=..').textContent()
      })
      .not.toContain('Mai')

    await page.getByRole('button', { name: 'Ricollega' }).click()
    await prepareLogin(page)
    await page.getByRole('link', { name: 'Offerte', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: /Offerte/ }).waitFor()
    await expect.poll(() => page.evaluate(() => 'FB' in window)).toBe(false)
  })

  it('on a telephone is told where it gave up, and connects after that', async () => {
    const page = await openPage(app, { width: 360, height: 740, dark: true })
    await signIn(page)
    await page.getByRole('button', { name: /Farmacia San Marco/ }).click()
    await page.getByRole('menuitem', { name: 'WhatsApp' }).click()
    await heading(page).waitFor()
    await prepareLogin(page)
    await endLogin(page, null)
    await page.getByText('chiusa prima della fine').waitFor()
    await endLogin(page, 'Interrompi a PHONE_NUMBER_VERIFICATION')
    await page.getByText('Ti sei fermato alla verifica del numero.').waitFor()
    await endLogin(page, "Nega l'autorizzazione")
    await page.getByText('Autorizzazione negata').waitFor()
    await endLogin(page, 'Togli i permessi')
    await page.getByText('manca un permesso su WhatsApp').waitFor()
    await endLogin(page, 'Versione 5: prima il numero', { codeFirst: true })
    await page.getByText('Connesso con successo!').waitFor()

    await world.control('failure', { mode: 'graph', of: 'subscribed_apps', code: 2200 })
    await page.getByRole('button', { name: 'Verifica ora' }).click()
    await page.getByText('Iscrizione agli eventi: non riuscita').waitFor()
    await world.control('failure', { mode: 'ok' })
    await page.getByRole('button', { name: 'Verifica ora' }).click()
    await page.getByText('Iscrizione agli eventi: non riuscita').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Scollega' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Scollega' }).click()
    await badge(page, 'Scollegato').waitFor()
  })
})

it('what was answered is processed after the server was killed', async () => {
  const page = await openPage(app)
  await connectNumber(page)
  expect(await world.receive('IT.77')).toEqual({ status: 200 })
  await app.program().end('SIGKILL')
  await app.start()
  const found = () => query(app, "select user_id from whatsapp_contacts where user_id = 'IT.77'")
  await expect.poll(found, { timeout: 20_000 }).toEqual([{ user_id: 'IT.77' }])
})
