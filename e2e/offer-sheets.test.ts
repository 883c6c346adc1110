import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openPage, signIn } from './support/browser.ts'
import { clearOffers } from './support/offers.ts'

let app: App
let page: Page
const printed: string[] = []
beforeAll(async () => {
  app = await startApp()
  const api = await clearOffers(app)
  for (let n = 1; n <= 10; n += 1) {
    await api.create(`Prodotto ${String(n).padStart(2, '0')}`, { Prezzo_Offerta: 700 + n })
  }
  await api.create('Sciroppo di ieri', { Stato_Offerta: 'Inattiva' })
  page = await openPage(app)
  await page.exposeFunction('notePrinting', (title: string) => printed.push(title))
  await page.addInitScript('window.print = () => window.notePrinting(document.title)')
  await signIn(page)
})
afterAll(() => app.dispose())

const codes = () =>
  page.locator('[data-address]').evaluateAll((all) => all.map((each) => each.dataset['address']))

/** As many as a printer would take, with what it prints not wider than they are. */
async function sheetsOfPaper(): Promise<number> {
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  expect(pdf).toMatch(/\/MediaBox \[0 0 59[45](\.\d+)? 84[12](\.\d+)?\]/)
  return pdf.match(/\/Type \/Page\b/g)?.length ?? 0
}

describe('the offers on paper', () => {
  it('are a flyer of what customers see, with a code that leads to the page', async () => {
    await page.goto('/offers')
    await page.getByRole('link', { name: 'Stampa' }).click()
    await page.getByRole('heading', { name: 'Volantini ed etichette' }).waitFor()
    await page.getByText('10 offerte, 2 fogli').waitFor()
    expect(await page.getByRole('region', { name: /^Foglio/ }).count()).toBe(2)
    expect(await codes()).toEqual(
      Array.from({ length: 2 }, () => `${app.url}/offers/PHARM-0001?da=volantino`),
    )
    expect(await page.getByRole('heading', { name: 'Sciroppo di ieri' }).count()).toBe(0)
    const product = page.getByRole('region', { name: /^Foglio/ }).getByRole('listitem')
    await product
      .filter({ hasText: 'Prodotto 10' })
      .getByText('Prezzo più basso degli ultimi 30 giorni: 10,00')
      .waitFor()

    await page.getByRole('button', { name: 'Stampa' }).click()
    await expect.poll(() => printed).toHaveLength(1)
    expect(await sheetsOfPaper()).toBe(2)
    await page.emulateMedia({ media: 'print' })
    expect(await page.getByRole('button', { name: 'Stampa' }).isVisible()).toBe(false)
    await page.emulateMedia({ media: null })
  })

  it('are labels, each with the code of its offer, from the first that is free', async () => {
    await page.getByRole('radio', { name: /^Etichette/ }).click()
    await page.getByText('10 offerte, 1 foglio').waitFor()
    const addresses = await codes()
    expect(new Set(addresses).size).toBe(10)
    for (const address of addresses) {
      expect(address).toMatch(/\/offers\/PHARM-0001\/[0-9a-f-]{36}\?da=volantino$/)
    }
    await page.getByLabel('Inizia dall’etichetta numero').fill('20')
    await page.getByText('10 offerte, 2 fogli').waitFor()
    expect(await sheetsOfPaper()).toBe(2)
    // The choice of labels is in the address.
    await page.reload()
    await page.getByText('10 offerte, 1 foglio').waitFor()
    await page.getByRole('button', { name: 'Nessuna' }).click()
    await page.getByText('Nessuna offerta scelta').waitFor()
  })
})
