import { createOrder } from '@bancone/contract/new-orders'
import { ORDER_PARAM } from '@bancone/contract/pages'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FROM_AIRTABLE } from './support/airtable.ts'
import { accounts } from './support/app.ts'
import { type AppWithAirtable, startAppWithAirtable } from './support/app-with-airtable.ts'
import { openPage, signIn, untilLive } from './support/browser.ts'

let app: AppWithAirtable
beforeAll(async () => {
  app = await startAppWithAirtable()
})
afterAll(() => app.dispose())

const row = (page: Page, customer: string) => page.getByRole('row').filter({ hasText: customer })

/** Beside it a new order has a word that says so. */
async function numberOf(order: Locator): Promise<string> {
  const text = await order.getByRole('rowheader').innerText()
  return text.trim().split(/\s/, 1)[0] ?? ''
}

async function twoScreens(): Promise<[Page, Page]> {
  const screens = await Promise.all([openPage(app), openPage(app, { width: 390, height: 844 })])
  for (const screen of screens) {
    await signIn(screen)
    await untilLive(screen)
  }
  return screens
}

describe('two screens of one pharmacy', () => {
  it('see what the other changes at once', async () => {
    const [one, two] = await twoScreens()
    const first = one.getByRole('row').nth(1)
    const number = await numberOf(first)
    const before = await first.getByRole('combobox').inputValue()
    const wanted = before === 'Annullato' ? 'Confermato' : 'Annullato'
    await first.getByRole('combobox').selectOption(wanted)
    const there = two.getByLabel(`Stato ordine ${number}`)
    await expect.poll(() => there.inputValue(), { timeout: 5_000 }).toBe(wanted)
  })

  it('hear of a new order, and of its being seen', async () => {
    const [one, two] = await twoScreens()
    const offers = one.getByRole('link', { name: 'Offerte' })
    const place = await offers.boundingBox()
    await app.airtable.order({ Cliente: 'Novella Arrivi' })
    await row(one, 'Novella Arrivi').waitFor(FROM_AIRTABLE)
    await two.getByRole('heading', { name: 'Novella Arrivi' }).waitFor()
    for (const screen of [one, two]) {
      await screen.getByText('Hai 1 nuovo ordine').first().waitFor()
      await expect.poll(() => screen.title()).toBe('(1) Ordini · Bancone')
    }
    // The badge moves no link.
    await one.getByRole('link', { name: 'Dashboard 1 nuovo ordine' }).waitFor()
    expect(await offers.boundingBox()).toEqual(place)
    await two.getByRole('button', { name: 'Segna come visti' }).click()
    for (const screen of [one, two]) {
      await screen.getByRole('button', { name: 'Segna come visti' }).waitFor({ state: 'detached' })
      await expect.poll(() => screen.title()).toBe('Ordini · Bancone')
    }
  }, 120_000)
})

describe('an order with several lines', () => {
  it('is partly there on both screens, ready with its last line, and partly there again', async () => {
    const [one, two] = await twoScreens()
    const made = await fetch(app.url + createOrder.path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await app.token(accounts.sanMarco)}`,
        'content-type': 'application/json',
        'idempotency-key': 'order-of-three-lines',
      },
      body: JSON.stringify({
        fields: {
          Cliente: 'Paola Parziale',
          'Phone Number': '333 123 4567',
          Ordine: 'Olio\nGarze\nCerotti',
        },
      }),
    })
    const { id } = createOrder.response.parse(await made.json())
    async function opened(screen: Page) {
      await screen.goto(`${app.url}/?${ORDER_PARAM}=${id}`)
      return screen.getByRole('dialog', { name: 'Dettaglio Ordine' })
    }
    const here = await opened(one)
    const there = await opened(two)
    const box = (dialog: Locator, name: string) => dialog.getByRole('checkbox', { name })
    await box(here, 'Garze').click()
    await there.getByText('1 di 3 pronti').waitFor()
    await box(there, 'Olio').click()
    await here.getByText('2 di 3 pronti').waitFor()
    await box(here, 'Cerotti').click()
    await there.getByText(/^Pronto dal/).waitFor()
    await box(there, 'Olio').click()
    await here.getByText('2 di 3 pronti').waitFor()
    await expect.poll(() => box(here, 'Olio').isChecked()).toBe(false)
  })
})

describe('the picture of an order', () => {
  it('is opened from a copy of our own, in a tab of its own', async () => {
    const page = await openPage(app)
    await signIn(page)
    await app.airtable.order({ Cliente: 'Figura Copiata', Image: '/images/7.png' })
    await row(page, 'Figura Copiata').waitFor(FROM_AIRTABLE)
    const link = row(page, 'Figura Copiata').getByRole('link', { name: /^Visualizza/ })
    const leads = () => link.getAttribute('href')
    await expect.poll(leads, { timeout: 20_000 }).toMatch(/^\/api\/order-images\//)
    const opening = page.context().waitForEvent('page')
    await link.click()
    const tab = await opening
    await tab.waitForLoadState()
    const width = () =>
      tab.locator('img').evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth)
    expect([new URL(tab.url()).origin, await width()]).toEqual([app.url, 800])
  }, 120_000)
})

describe('a screen without a connection', () => {
  it('says so, and makes up for what it missed when it is back', async () => {
    const page = await openPage(app)
    await signIn(page)
    await untilLive(page)
    const rows = await page.getByRole('row').count()
    expect(rows).toBe(21)

    await app.program().end('SIGKILL')
    await page.getByText('Riconnessione…').waitFor()
    await app.airtable.order({ Cliente: 'Perduta Ritrovata' })
    await app.start()
    await untilLive(page)
    await row(page, 'Perduta Ritrovata').waitFor(FROM_AIRTABLE)
  }, 120_000)
})

describe('a change made in Airtable meanwhile', () => {
  it('is not overwritten: the pharmacist is told, and sees what it is now', async () => {
    const page = await openPage(app)
    await signIn(page)
    const id = await app.airtable.order({ Cliente: 'Contesa Due' })
    await row(page, 'Contesa Due').waitFor(FROM_AIRTABLE)
    await app.airtable.change(id, { Stato: 'Prenotato Domani' })
    await row(page, 'Contesa Due').getByRole('combobox').selectOption('Annullato')
    const told = page.getByText(/è stato cambiato in Airtable nel frattempo/)
    // On a busy machine the copy has the change before: then the question is asked at once.
    const leave = page.getByRole('button', { name: 'Lascia «Prenotato Domani»' })
    await told.or(leave).first().waitFor()
    if (await leave.isVisible()) await leave.click()
    const shown = row(page, 'Contesa Due').getByRole('combobox')
    await expect.poll(() => shown.inputValue()).toBe('Prenotato Domani')
    expect((await app.airtable.statuses()).get(id)).toBe('Prenotato Domani')
  }, 120_000)
})
