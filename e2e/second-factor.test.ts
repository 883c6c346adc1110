import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, accounts, password, startApp } from './support/app.ts'
import { enrol } from './support/authenticator.ts'
import { enter, openPage, signIn } from './support/browser.ts'
import { nthMail } from './support/mail.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

const orders = (page: Page) => page.getByRole('heading', { level: 1, name: 'Ordini' })

async function openAccount(page: Page) {
  await page.getByRole('button', { name: /^Farmacia/ }).click()
  await page.getByRole('menuitem', { name: 'Sicurezza' }).click()
  await page.getByRole('heading', { level: 1, name: 'Sicurezza' }).waitFor()
}

async function leave(page: Page) {
  await page.getByRole('button', { name: /^Farmacia/ }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await page.waitForURL('**/login')
}

async function secondStep(page: Page) {
  await page.getByRole('heading', { name: 'Verifica in due passaggi' }).waitFor()
}

describe('a second factor', () => {
  it('is asked for from the day it is added, and ends the sessions that never showed it', async () => {
    const other = await openPage(app)
    await signIn(other)
    const page = await openPage(app, { width: 360, height: 740 })
    await signIn(page)
    await openAccount(page)
    const { app: telephone, codes } = await enrol(page)
    expect(new Set(codes).size).toBe(10)
    // It was not used.
    await other.waitForURL('**/login')
    expect((await nthMail(app, accounts.sanMarco, 1)).text).not.toContain(codes[0])

    await page.reload()
    await page.getByText('Attiva dal').waitFor()
    await leave(page)

    // The page that was wanted is reached by the second step, and by nothing less.
    await page.goto('/account')
    await page.waitForURL('**/login')
    await enter(page, accounts.sanMarco)
    await secondStep(page)
    await page.goto('/')
    await secondStep(page)
    await page.reload()
    await secondStep(page)
    await page.getByLabel('Codice', { exact: true }).fill('000000')
    await page.getByText(/codice non è/i).waitFor()
    await page.getByLabel('Codice', { exact: true }).fill(telephone.next())
    await orders(page).waitFor()
  })
})

describe('a lost telephone', () => {
  it('is made up for by a recovery code, once, and then by a new one', async () => {
    const page = await openPage(app)
    await signIn(page, accounts.garibaldi)
    await openAccount(page)
    const { codes } = await enrol(page)
    const [code = ''] = codes
    await leave(page)

    await enter(page, accounts.garibaldi)
    await secondStep(page)
    await page.getByRole('button', { name: 'Usa un codice di recupero' }).click()
    await page.getByLabel('Codice di recupero').fill(code.toUpperCase().replace('-', ' '))
    await page.getByRole('button', { name: 'Verifica', exact: true }).click()
    await page.getByText(/Te ne restano 9/).waitFor()
    await page.getByRole('button', { name: 'Continua' }).click()
    await orders(page).waitFor()

    const elsewhere = await openPage(app)
    await elsewhere.goto('/login')
    await enter(elsewhere, accounts.garibaldi)
    await secondStep(elsewhere)
    await elsewhere.getByRole('button', { name: 'Usa un codice di recupero' }).click()
    await elsewhere.getByLabel('Codice di recupero').fill(code)
    await elsewhere.getByRole('button', { name: 'Verifica', exact: true }).click()
    await elsewhere.getByText(/già stato usato/).waitFor()

    await openAccount(page)
    await page.getByRole('button', { name: /^Rimuovi/ }).click()
    await page.getByLabel('La tua password', { exact: true }).fill(password)
    await page.getByRole('dialog').getByRole('button', { name: 'Disattiva' }).click()
    await page.getByText('Verifica in due passaggi disattivata').waitFor()
    const { app: telephone } = await enrol(page)
    await leave(page)
    await enter(page, accounts.garibaldi)
    await secondStep(page)
    await page.getByLabel('Codice', { exact: true }).fill(telephone.next())
    await orders(page).waitFor()
  })
})
