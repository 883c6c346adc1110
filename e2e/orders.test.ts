import { changeOrdersPickup } from '@bancone/contract/order-pickup'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppWithAirtable, startAppWithAirtable } from './support/app-with-airtable.ts'
import { openPage, signIn, untilLive } from './support/browser.ts'
import { until } from './support/process.ts'

let app: AppWithAirtable
beforeAll(async () => {
  app = await startAppWithAirtable()
})
afterAll(() => app.dispose())

const firstRow = (page: Page) => page.getByRole('row').nth(1)
const firstStatus = (page: Page) => firstRow(page).getByRole('combobox')

const notice = (page: Page) => page.getByText(/Airtable non risponde/)

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

    await page.goBack()
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
    // At its end, where it was left.
    const left = page.getByRole('button', { name: 'Successiva' })
    await expect
      .poll(() => left.evaluate((button) => button.getBoundingClientRect().top))
      .toBeLessThan(900)
    await page.goForward()
    await page.getByText('Pagina 4 di 24 • 20 ordini in questa pagina').waitFor()

    await page.reload()
    await page.getByText('Pagina 4 di 24 • 20 ordini in questa pagina').waitFor()
    await page.goBack()
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
  })

  it('closes details by Back before they are drawn, and opens others', async () => {
    const page = await openPage(app)
    await signIn(page)
    const details = page.getByRole('button', { name: /^Dettagli ordine/ }).first()
    await details.waitFor()
    await details.evaluate((button) => {
      if (button instanceof HTMLElement) button.click()
      window.history.back()
    })
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    await details.click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
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

  it('come with few pieces of code, and are asked for once', async () => {
    const page = await openPage(app)
    // A socket that is connected reads them again.
    await page.addInitScript(() => Object.assign(window, { WebSocket: undefined }))
    await signIn(page)
    await firstStatus(page).waitFor()
    const loaded = () =>
      page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .map(({ name }) => name.replace(location.origin, '')),
      )
    const has = (names: string[], part: string) => names.filter((name) => name.includes(part))
    await expect.poll(async () => has(await loaded(), '/dashboard-details-')).toHaveLength(1)
    const names = await loaded()
    expect(has(names, '/api/airtable-orders?page=1&pageSize=20')).toHaveLength(1)
    expect(has(names, '/api/pharmacy')).toHaveLength(1)
    expect(has(names, '.js').length).toBeLessThan(15)
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

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') })
const statusOf = (row: Locator) => row.getByRole('combobox')

async function numberOf(order: Locator): Promise<string> {
  const text = await order.getByRole('rowheader').innerText()
  return /\d+/.exec(text)?.[0] ?? ''
}

async function signedIn(): Promise<Page> {
  const page = await openPage(app)
  await signIn(page)
  await untilLive(page)
  await rows(page).nth(19).waitFor()
  return page
}

describe('a morning of work', () => {
  it('changes many orders of two pages at once, and takes it back at once', async () => {
    const page = await signedIn()
    const select = async (index: number) => {
      const row = rows(page).nth(index)
      const number = await numberOf(row)
      await row.getByRole('checkbox').check()
      return { number, status: await statusOf(row).inputValue() }
    }
    const first = [await select(0), await select(1), await select(2)]
    await page.getByRole('button', { name: 'Successiva' }).click()
    await page.getByText('Pagina 2 di').first().waitFor()
    await page.getByText('3 ordini selezionati').first().waitFor()
    const second = [await select(0)]
    await page.getByText('4 ordini selezionati').first().waitFor()

    const bar = page.getByRole('region', { name: /selezion/i })
    await bar.getByRole('button', { name: 'Prenotato Domani' }).click()
    await page.getByText('4 ordini: Prenotato Domani').waitFor()
    const there = (number: string) => statusOf(page.getByRole('row').filter({ hasText: number }))
    for (const { number } of second) {
      expect(await there(number).first().inputValue()).toBe('Prenotato Domani')
    }
    await page.getByRole('button', { name: 'Annulla modifica' }).click()
    await page.goBack()
    for (const { number, status } of first) {
      await expect.poll(() => page.getByLabel(`Stato ordine ${number}`).inputValue()).toBe(status)
    }
  })

  it('asks the second of two screens that change one order, and does as they choose', async () => {
    const one = await signedIn()
    const two = await signedIn()
    const number = await numberOf(rows(one).nth(3))
    const here = one.getByLabel(`Stato ordine ${number}`)
    const there = two.getByLabel(`Stato ordine ${number}`)
    const before = await here.inputValue()
    const [mine, yours] = ['Confermato', 'Annullato', 'Prenotato Domani'].filter(
      (status) => status !== before,
    )
    if (!mine || !yours) throw new Error('there are more states')
    // The second does not hear of it in time: it still shows what was.
    await two.context().setOffline(true)
    await here.selectOption(mine)
    await one.getByText(`Ordine ${number}: ${mine}`).waitFor()
    await two.route('**/api/airtable-orders?*', (route) => route.abort())
    await two.context().setOffline(false)
    await there.selectOption(yours)
    const dialog = two.getByRole('dialog')
    await dialog.getByText(`«${mine}»`).first().waitFor()
    await dialog.getByText('da un altro dispositivo').waitFor()
    await two.unroute('**/api/airtable-orders?*')
    await dialog.getByRole('button', { name: `Imposta «${yours}»` }).click()
    await expect.poll(() => here.inputValue(), { timeout: 10_000 }).toBe(yours)
  })
})

describe('when Airtable does not answer', () => {
  it('the page shows the copy and says so, and what is changed meanwhile arrives afterwards', async () => {
    const page = await openPage(app)
    await signIn(page)
    await page.goto('/account/pickup')
    const columns = page.getByRole('region', { name: 'Colonne di Airtable' })
    await columns.getByLabel('Pronto').fill('Pronto il')
    await columns.getByLabel('Rimesso a posto').fill('Non ne ha')
    await columns.getByRole('button', { name: 'Salva' }).click()
    await columns.getByText('Airtable non ha questa colonna').waitFor()
    await page.goto('/dashboard')
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
    const pressed = page.waitForRequest('**/api/orders/pickup')
    const details = page.getByRole('dialog', { name: 'Dettaglio Ordine' })
    await page
      .getByRole('button', { name: /^Dettagli/ })
      .nth(1)
      .click()
    await details.getByRole('button', { name: 'Pronto', exact: true }).click()
    const { changes } = changeOrdersPickup.body.parse((await pressed).postDataJSON())
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })

    await app.airtable.up()
    await refreshUntil(page, async () => (await notice(page).count()) === 0)
    await until('the change to arrive', async () => {
      return (await app.airtable.statuses()).get(recordId) === wanted
    })
    await until('the moment of being ready to arrive', async () => {
      return (await app.airtable.readyAt(changes[0]?.recordId ?? '')) !== undefined
    })
  })
})
