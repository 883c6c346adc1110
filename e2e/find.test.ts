import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Airtable, FROM_AIRTABLE, startAirtable } from './support/airtable.ts'
import { type App, startApp } from './support/app.ts'
import { openContext, openPage, openPharmacy, signIn } from './support/browser.ts'

let airtable: Airtable
let app: App
beforeAll(async () => {
  airtable = await startAirtable()
  await airtable.order({ Cliente: 'Niccolò D’Avanzo', Ordine: 'Uno sciroppo alla lumaca' })
  app = await startApp(airtable.env)
})
afterAll(async () => {
  await app.dispose()
  await airtable.dispose()
})

const box = (page: Page) => page.getByRole('searchbox', { name: 'Cerca' })
const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })

/** What a server would be told of where the page is. */
function sent(page: Page): string {
  const { pathname, search } = new URL(page.url())
  return pathname + search
}

describe('finding an order', () => {
  it('takes some words, as one types them, and back leads to the list before', async () => {
    const page = await openPage(app)
    await signIn(page)
    await rows(page).nth(19).waitFor()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))

    await box(page).fill('davanzo nicco')
    await page.getByText('1 ordine trovato').first().waitFor()
    expect(await rows(page).count()).toBe(1)
    await rows(page).getByText('Niccolò D’Avanzo').waitFor()
    expect(sent(page)).toBe('/')
    expect(decodeURIComponent(new URL(page.url()).hash)).toBe('#q=davanzo nicco')
    expect(requests.filter((url) => /davanzo|nicco/i.test(url))).toEqual([])
    expect(await page.title()).not.toMatch(/davanzo/i)

    await page.reload()
    await page.getByText('1 ordine trovato').first().waitFor()
    expect(await box(page).inputValue()).toBe('davanzo nicco')

    await page.goBack()
    await rows(page).nth(19).waitFor()
    expect(await box(page).inputValue()).toBe('')
    await page.goForward()
    await page.getByText('1 ordine trovato').first().waitFor()
  })

  it('finds what was ordered and a telephone number however it is written', async () => {
    await airtable.order({ Cliente: 'Ada Lumachi', 'Phone Number': '+39 347 998 1234' })
    const page = await openPage(app)
    await signIn(page)
    await page.getByText('Ada Lumachi').first().waitFor(FROM_AIRTABLE)
    for (const words of ['3479981234', '347 998', '+39 347 9981234', '0039347998']) {
      await box(page).fill(words)
      await expect.poll(() => rows(page).count(), { timeout: 10_000 }).toBe(1)
      await rows(page).getByText('Ada Lumachi').waitFor()
    }
    await box(page).fill('SCIROPPO lumaca')
    await rows(page).getByText('Niccolò D’Avanzo').waitFor()
    await box(page).fill('nessuno si chiama così')
    await page.getByText('Nessun ordine trovato').waitFor()
    await page.getByRole('button', { name: 'Azzera filtri' }).first().click()
    await rows(page).nth(19).waitFor()
  }, 90_000)

  it('goes by a link that another browser of the pharmacy opens', async () => {
    const page = await openPage(app)
    await signIn(page)
    await page.getByRole('button', { name: /^In Lavorazione/ }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('stato')).toContain('Domani')
    await page.getByLabel('Ordina per').selectOption('Meno recenti')
    await box(page).fill('via')
    await expect.poll(() => new URL(page.url()).hash).toBe('#q=via')
    await page
      .getByText(/ordini trovati/)
      .first()
      .waitFor()
    const elsewhere = await (await openContext(app)).newPage()
    await openPharmacy(elsewhere, page.url())
    const states = async () => {
      const shown = await rows(elsewhere)
        .getByRole('combobox')
        .evaluateAll((all) =>
          all.map((each) => (each instanceof HTMLSelectElement ? each.value : '')),
        )
      return new Set(shown.map((state) => state.split(' ')[0]))
    }
    const numbers = (of: Page) => rows(of).getByRole('rowheader').allInnerTexts()
    // On both pages other orders stand until those that have been found are there.
    await expect.poll(states, { timeout: 10_000 }).toEqual(new Set(['Prenotato']))
    // The first of them are drawn before the others.
    await expect
      .poll(async () => isDeepStrictEqual(await numbers(elsewhere), await numbers(page)), {
        timeout: 10_000,
      })
      .toBe(true)
    expect((await numbers(elsewhere)).length).toBeGreaterThan(1)
    expect(await box(elsewhere).inputValue()).toBe('via')
    expect(await elsewhere.getByLabel('Ordina per').inputValue()).toBe(
      await page.getByLabel('Ordina per').inputValue(),
    )
  })

  it('has the cards, the states and the days as filters, and keeps them as a view for everybody', async () => {
    const page = await openPage(app)
    await signIn(page)
    await page.getByRole('button', { name: /^Ordini Confermati/ }).click()
    await expect.poll(() => sent(page)).toBe('/?stato=Confermato')
    await page.getByRole('button', { name: 'Viste' }).click()
    await page.getByRole('button', { name: 'Salva questa vista' }).click()
    await page.getByLabel('Nome della vista').fill('Da preparare')
    await page.getByRole('button', { name: 'Salva', exact: true }).click()
    await page.getByText('Da preparare').first().waitFor()

    const phone = await openPage(app, { width: 390, height: 844 })
    await signIn(phone)
    await phone.getByRole('button', { name: /^Filtri/ }).click()
    await phone.getByText('Da preparare').click()
    await expect.poll(() => sent(phone)).toBe('/?stato=Confermato')
  })
})
