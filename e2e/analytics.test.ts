import { readFile } from 'node:fs/promises'
import { addDays, dayOf, formatShortDay } from '@bancone/contract/dates'
import { parse } from 'csv-parse/sync'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countPageViews, VIEWS } from './support/analytics.ts'
import { type App, accounts, startApp } from './support/app.ts'
import { openPage, openPharmacy } from './support/browser.ts'

let app: App
let page: Page
const today = () => dayOf(Date.now())

beforeAll(async () => {
  app = await startApp()
  await countPageViews(app)
  page = await openPage(app)
  await openPharmacy(page, '/analytics')
  // Folds what waits.
  await page.getByRole('button', { name: 'Aggiorna' }).click()
  await viewsAre(page, VIEWS.week)
})
afterAll(() => app.dispose())

beforeEach(() => page.goto('/analytics'))

const period = (where: Page) => where.getByRole('combobox', { name: 'Periodo', exact: true })
const summary = (where: Page) => where.getByLabel('Riepilogo')

/** Waits until the first card shows that many views. */
async function viewsAre(where: Page, views: number): Promise<void> {
  await summary(where)
    .locator('dt', { hasText: /^Visualizzazioni/ })
    .locator('xpath=following-sibling::dd')
    .getByText(String(views), { exact: true })
    .first()
    .waitFor()
}

describe('the access', () => {
  it('is explained to a pharmacy whose plan does not include it', async () => {
    const other = await openPage(app, { width: 360, height: 740 })
    await openPharmacy(other, '/analytics', accounts.garibaldi)
    await other.getByRole('heading', { level: 1, name: 'Analytics Non Disponibile' }).waitFor()
    await other.getByText('Basic', { exact: true }).waitFor()
    await other.getByRole('link', { name: 'Vai alla Dashboard' }).click()
    await other.getByRole('heading', { level: 1, name: 'Ordini' }).waitFor()
    expect(new URL(other.url()).pathname).toBe('/')
  })

  it('is an error card while the permissions cannot be read, and goes on afterwards', async () => {
    await page.route('**/api/pharmacy', (route) => route.abort())
    await page.goto('/analytics')
    const retry = page.getByRole('main').getByRole('button', { name: 'Riprova' })
    await retry.waitFor()
    await page.getByText('Impossibile verificare i permessi della farmacia').first().waitFor()
    await page.unroute('**/api/pharmacy')
    // The page may go on by itself before the press.
    void retry.click().catch(() => undefined)
    await viewsAre(page, VIEWS.week)
  })
})

describe('the period', () => {
  it('is each of the list, survives a reload, and goes back', async () => {
    await page.getByText('24% in più', { exact: true }).waitFor()
    await page.getByText(`prima ${VIEWS.before}`).waitFor()
    // On these days this month is today, or the last thirty days, which have been read.
    const isReadBefore = ['01', '30'].includes(dayOf(Date.now()).slice(-2))
    const month = isReadBefore ? [] : ['Questo mese']
    for (const name of ['Oggi', 'Ultimi 30 giorni', ...month, 'Mese scorso']) {
      const answer = page.waitForResponse((response) => response.url().includes('/api/analytics?'))
      await period(page).selectOption(name)
      expect((await answer).status()).toBe(200)
      await page.locator('[aria-busy=false]').first().waitFor()
    }
    await period(page).selectOption('Ultimi 7 giorni')
    await viewsAre(page, VIEWS.week)
    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).toBe('?periodo=mese-scorso')
    await page.reload()
    expect(await period(page).inputValue()).toBe('mese-scorso')
    // Another tab has its own.
    const tab = await page.context().newPage()
    await tab.goto('/analytics')
    await viewsAre(tab, VIEWS.week)
    await tab.close()
  })
})

describe('the figures', () => {
  it('are read by the keyboard, and as a table', async () => {
    await page.getByRole('tab', { name: 'Panoramica' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('figure', { name: 'Ore della settimana' }).waitFor()
    await page.getByText('Il 69% delle visualizzazioni arriva dal volantino.').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('heading', { name: 'Attesa fino alla conferma' }).waitFor()
    await page.keyboard.press('ArrowRight')
    const line = page.getByRole('figure', { name: 'Visualizzazioni' })
    const values = line.getByRole('slider')
    await values.focus()
    await page.keyboard.press('Home')
    await expect
      .poll(() => values.getAttribute('aria-valuetext'))
      .toContain('Visualizzazioni 30, Visitatori 15')
    await line.getByRole('button', { name: 'Mostra tabella' }).press('Enter')
    expect(await line.getByRole('row').count()).toBe(1 + 7)
  })

  it('of the table shown are those of the file', async () => {
    await viewsAre(page, VIEWS.week)
    await page.getByRole('button', { name: 'Esporta' }).click()
    const arrives = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Andamento (CSV)' }).click()
    const download = await arrives
    expect(download.suggestedFilename()).toBe(
      `analytics-panoramica-${addDays(today(), -6)}-${today()}.csv`,
    )
    const bytes = await readFile(await download.path())
    const lines: string[][] = parse(bytes, { bom: true, delimiter: ';', from_line: 2 })
    expect(lines.map(([day, views]) => [day, views])).toEqual(
      [6, 5, 4, 3, 2, 1, 0].map((ago) => [formatShortDay(addDays(today(), -ago)), String(5 * ago)]),
    )
  })

  it('carry notes, which can be had back', async () => {
    await page.getByRole('button', { name: 'Aggiungi nota' }).click()
    await page.getByLabel('Nota', { exact: true }).fill('Volantino nelle buche')
    await page.getByLabel('Nota', { exact: true }).press('Enter')
    const remove = page.getByRole('button', { name: 'Elimina la nota: Volantino nelle buche' })
    await remove.click()
    await page.getByRole('button', { name: 'Annulla' }).click()
    await page.reload()
    await remove.click()
    const removal = page.waitForResponse((response) => response.request().method() === 'DELETE')
    await page.getByRole('link', { name: 'Offerte', exact: true }).click()
    expect((await removal).status()).toBe(200)
    await page.goto('/analytics')
    await viewsAre(page, VIEWS.week)
    expect(await remove.count()).toBe(0)
  })
})
