import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppWithAirtable, startAppWithAirtable } from './support/app-with-airtable.ts'
import { openPage, signIn } from './support/browser.ts'
import { until } from './support/process.ts'

let app: AppWithAirtable
beforeAll(async () => {
  app = await startAppWithAirtable()
})
afterAll(() => app.dispose())

const firstRow = (page: Page) => page.getByRole('row').nth(1)
const firstStatus = (page: Page) => firstRow(page).getByRole('combobox')

const notice = (page: Page) => page.getByText(/Airtable non risponde/)

/** Presses 'Riprova' while it is shown: a request that was on its way may still fail, or the page has gone on. */
async function retryUntil(page: Page, condition: () => Promise<boolean>): Promise<void> {
  const retry = page.getByRole('button', { name: 'Riprova' })
  await until('the page to go on', async () => {
    if (await retry.isVisible()) await retry.click({ timeout: 1_000 }).catch(() => undefined)
    return condition()
  })
}

/** Presses 'Aggiorna' again and again: Airtable is not asked again for some seconds after a failure. */
async function refreshUntil(page: Page, condition: () => Promise<boolean>): Promise<void> {
  await until('the page to show what Airtable says', async () => {
    await page.getByRole('button', { name: 'Aggiorna', exact: true }).click()
    await page.waitForTimeout(500)
    return condition()
  })
}

describe('the orders', () => {
  it('can be paged through, and back again, and reloaded where one is', async () => {
    const page = await openPage(app)
    await signIn(page)
    await page.getByText('Pagina 1 di 24 • 20 ordini in questa pagina').waitFor()
    const first = await firstRow(page).innerText()

    await page.getByRole('button', { name: 'Successiva' }).click()
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
    expect(new URL(page.url()).search).toBe('?page=2')
    expect(await firstRow(page).innerText()).not.toBe(first)

    await page.getByRole('button', { name: '4', exact: true }).click()
    await page.getByText('Pagina 4 di 24 • 20 ordini in questa pagina').waitFor()
    const window = page.getByRole('navigation', { name: /Pagine/ }).getByRole('button')
    expect(await window.allInnerTexts()).toEqual([
      'Precedente',
      '2',
      '3',
      '4',
      '5',
      '6',
      'Successiva',
    ])

    await page.reload()
    await page.getByText('Pagina 4 di 24 • 20 ordini in questa pagina').waitFor()
    await page.goBack()
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
  })

  it('can be narrowed to a state by the address alone, and a page too far leads to the last', async () => {
    const page = await openPage(app)
    await signIn(page)
    const statuses = [...(await app.airtable.statuses()).values()]
    const cancelled = statuses.filter((status) => status === 'Annullato').length
    const last = Math.ceil(cancelled / 20)
    const there = cancelled - 20 * (last - 1)
    await page.goto('/?stato=Annullato&page=900')
    await page.getByText(`Pagina ${last} di ${last} • ${there} ordin`).waitFor()
    const states = await page.getByRole('row').getByRole('combobox').all()
    expect(states).toHaveLength(there)
    for (const state of states) expect(await state.inputValue()).toBe('Annullato')
  })

  it('a changed status is in the cards, and in the Airtable base', async () => {
    const page = await openPage(app)
    await signIn(page)
    await firstStatus(page).waitFor()
    const before = await firstStatus(page).inputValue()
    const wanted = before === 'Confermato' ? 'Prenotato Domani' : 'Confermato'
    const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
    await firstStatus(page).selectOption(wanted)
    const reply = await saved
    expect(reply.status()).toBe(200)
    const recordId = new URL(reply.url()).pathname.split('/').at(-1) ?? ''
    await until('Airtable to have it', async () => {
      return (await app.airtable.statuses()).get(recordId) === wanted
    })
    await page.reload()
    await expect.poll(() => firstStatus(page).inputValue()).toBe(wanted)
  })

  it('show their details by the keyboard', async () => {
    const page = await openPage(app)
    await signIn(page)
    await firstStatus(page).waitFor()
    const details = firstRow(page).getByRole('button', { name: /Dettagli/ })
    await details.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Dettaglio Ordine' })
    await dialog.waitFor()
    for (const term of ['ID Ordine', 'Cliente', 'Stato', 'Contatti', 'Indirizzo', 'Data Ordine']) {
      await dialog.getByText(term, { exact: true }).waitFor()
    }
    for (const term of ['Ultimo Aggiornamento', 'Prodotto Richiesto']) {
      await dialog.getByText(term, { exact: true }).waitFor()
    }
    // The focus stays inside until the dialog is closed, and then goes back to where it was.
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('Tab')
    expect(await dialog.locator(':focus').count()).toBe(1)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await details.evaluate((button) => button === document.activeElement)).toBe(true)
  })

  it('never reach an address or a title', async () => {
    const page = await openPage(app)
    await signIn(page)
    await firstStatus(page).waitFor()
    const customer = (await firstRow(page).getByRole('cell').nth(0).innerText()).trim()
    await firstRow(page)
      .getByRole('button', { name: /Dettagli/ })
      .click()
    await page.getByRole('dialog').waitFor()
    expect(customer.length).toBeGreaterThan(3)
    expect(decodeURIComponent(page.url())).not.toContain(customer)
    expect(await page.title()).not.toContain(customer)
  })
})

describe('when Airtable does not answer', () => {
  it('the page shows the copy and says so, and a change made meanwhile arrives afterwards', async () => {
    const page = await openPage(app)
    await signIn(page)
    await firstStatus(page).waitFor()
    await app.airtable.down()

    await refreshUntil(page, async () => (await notice(page).count()) > 0)
    await page.getByText('Pagina 1 di 24 • 480 ordini totali').waitFor()

    const before = await firstStatus(page).inputValue()
    const wanted = before === 'Annullato' ? 'In attesa' : 'Annullato'
    const saved = page.waitForResponse((reply) => reply.request().method() === 'PATCH')
    await firstStatus(page).selectOption(wanted)
    const reply = await saved
    expect(reply.status()).toBe(200)
    const recordId = new URL(reply.url()).pathname.split('/').at(-1) ?? ''
    await page.getByText(/1 modifica è in attesa/).waitFor()

    await app.airtable.up()
    await refreshUntil(page, async () => (await notice(page).count()) === 0)
    await until('the change to arrive', async () => {
      return (await app.airtable.statuses()).get(recordId) === wanted
    })
  })

  it('a change that it refuses goes back, and the user is told', async () => {
    const page = await openPage(app)
    await signIn(page)
    await firstStatus(page).waitFor()
    const before = await firstStatus(page).inputValue()
    await app.airtable.control({ mode: 'refuse-writes' })
    try {
      await firstStatus(page).selectOption(before === 'Confermato' ? 'In attesa' : 'Confermato')
      await page.getByText("Impossibile aggiornare lo stato dell'ordine").waitFor()
      await expect.poll(() => firstStatus(page).inputValue()).toBe(before)
    } finally {
      await app.airtable.control({ mode: 'ok' })
    }
  })
})

describe('when the server does not answer', () => {
  it('the rows stay, the page says so, and goes on when it is back', async () => {
    const page = await openPage(app)
    await signIn(page)
    await firstStatus(page).waitFor()
    await page.route('**/api/airtable-orders*', (route) => route.abort())
    await page.getByRole('button', { name: 'Aggiorna', exact: true }).click()
    await page.getByText("Si è verificato un errore nell'aggiornamento degli ordini").waitFor()
    expect(await page.getByRole('row').count()).toBe(21)
    const again = page.waitForRequest('**/api/airtable-orders*')
    await page.getByRole('button', { name: 'Riprova' }).click()
    await again
    await page.unroute('**/api/airtable-orders*')
    await retryUntil(page, async () => {
      return !(await page.getByText("Si è verificato un errore nell'aggiornamento").isVisible())
    })
  })

  it('the first load says so and offers to try again', async () => {
    const page = await openPage(app)
    await page.route('**/api/airtable-orders*', (route) => route.abort())
    await signIn(page)
    await page.getByText('Si è verificato un errore nel caricamento degli ordini').waitFor()
    const again = page.waitForRequest('**/api/airtable-orders*')
    await page.getByRole('button', { name: 'Riprova' }).click()
    await again
    await page.unroute('**/api/airtable-orders*')
    await retryUntil(page, () => firstStatus(page).isVisible())
  })
})
