import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openContext } from './support/browser.ts'
import { clearOffers, offersOf } from './support/offers.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
  await (await offersOf(app)).showPrescriptionFields()
})
afterAll(() => app.dispose())

const LONG = 'Supercalifragilistichespiralidoso'.repeat(3)

beforeEach(async () => {
  const api = await clearOffers(app)
  await api.create('Crema', { Descrizione: LONG.repeat(3), Prezzo_Offerta: 500 })
  await api.create(LONG, { Prezzo_Offerta: 900 })
})

/** The page on a screen of that size, in points: zoom makes it smaller. */
async function shopOn(width: number, height: number): Promise<Page> {
  const context = await openContext(app, { width, height })
  const page = await context.newPage()
  await page.goto('/offers/PHARM-0001')
  return page
}

/** Something of it must be moved aside to be seen. */
const isTooWide = (page: Page, selector: string) =>
  page
    .locator(selector)
    .evaluateAll((elements) =>
      elements.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth),
    )

async function bottomOf(page: Page, text: string): Promise<number> {
  const box = await page.getByRole('dialog').getByText(text, { exact: true }).boundingBox()
  if (!box) throw new Error(`${text} is nowhere`)
  return box.y + box.height
}

describe('what a customer sees', () => {
  it.each([
    [360, 740],
    [320, 256],
    [740, 340],
    [1440, 900],
  ])('is never wider than a screen of %i by %i, however long a word is', async (width, height) => {
    const page = await shopOn(width, height)
    expect(await isTooWide(page, 'html')).toBe(false)
    for (const name of ['Crema', LONG]) {
      await page.getByRole('link', { name, exact: true }).click()
      await page.getByRole('dialog', { name }).waitFor()
      expect(await isTooWide(page, 'dialog, dialog *:not(.sr-only, img)')).toBe(false)
      await page.getByRole('dialog').getByRole('button', { name: 'Aggiungi alla lista' }).click()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
    await page.getByRole('button', { name: /^Lista/ }).click()
    const list = page.getByRole('dialog', { name: 'La lista' })
    await list.getByText('Hai una ricetta?').click()
    await list.getByLabel('Codice fiscale').fill('RSSMRA79B11C566Q')
    await list.getByText(/Si può mandare lo stesso/).waitFor()
    expect(await isTooWide(page, 'dialog, dialog *:not(.sr-only, img, input)')).toBe(false)
  })

  it('says at once what an offer costs, on the smallest phone', async () => {
    const name = 'Termometro digitale a infrarossi senza contatto per fronte e oggetti'
    await (await offersOf(app)).create(name, { Prezzo_Offerta: 810 })
    const page = await shopOn(320, 568)
    await page.getByRole('link', { name, exact: true }).click()
    const order = page.getByRole('dialog').getByRole('link', { name: 'Ordina via WhatsApp' })
    const above = await order.boundingBox()
    expect(await bottomOf(page, '8,10 €')).toBeLessThan(above?.y ?? 0)
  })

  it('on a phone that lies on its side is more than the buttons', async () => {
    const height = 340
    const page = await shopOn(740, height)
    await page.getByRole('link', { name: 'Crema', exact: true }).click()
    const order = page.getByRole('dialog').getByRole('link', { name: 'Ordina via WhatsApp' })
    const above = await order.boundingBox()
    expect(await bottomOf(page, 'Crema')).toBeLessThan(above?.y ?? 0)
    await page.getByRole('dialog').getByRole('button', { name: 'Aggiungi alla lista' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Nella lista/ })
      .click()
    const list = page.getByRole('dialog', { name: 'La lista' })
    const quantity = await list.getByRole('textbox').boundingBox()
    expect((quantity?.y ?? height) + (quantity?.height ?? 0)).toBeLessThan(height)
  })

  it('takes a press that comes before the browser was ever idle', async () => {
    const context = await openContext(app, { width: 360, height: 740 })
    const page = await context.newPage()
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    await page.goto('/offers/PHARM-0001', { waitUntil: 'load' })
    await page.getByRole('button', { name: 'Aggiungi alla lista' }).first().click()
    await page.getByRole('button', { name: /^Lista/ }).waitFor()
  })

  it('is in one column where letters are so large that two would cut the prices', async () => {
    const columns = (page: Page) =>
      page
        .getByRole('list')
        .filter({ has: page.getByRole('article') })
        .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
    expect(await columns(await shopOn(320, 600))).toBe(2)
    expect(await columns(await shopOn(250, 600))).toBe(1)
  })

  it('does not move aside when something opens over it', async () => {
    const page = await shopOn(1440, 900)
    const title = page.getByRole('heading', { name: 'Offerte Speciali' })
    const before = await title.boundingBox()
    await page.getByRole('link', { name: 'Crema', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    expect(await title.evaluate((element) => element.getBoundingClientRect().x)).toBe(before?.x)
  })
})
