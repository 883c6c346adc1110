import { paths, publicPaths } from '@bancone/contract/pages'
import { checkLetter } from '@bancone/contract/tax-code'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type App, startApp } from './support/app.ts'
import { openPage, signIn } from './support/browser.ts'
import { query } from './support/database.ts'
import { pressKeys, scan } from './support/keys.ts'
import { priorityOf } from './support/priority.ts'

let app: App
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.dispose())

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '')

describe('at the counter, with the keyboard', () => {
  it('a key on the status only opens the list, and Enter there sends one change', async () => {
    const page = await openPage(app)
    await signIn(page)
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '')
    })
    const status = page.getByRole('row').nth(1).getByRole('combobox')
    await status.waitFor()
    const before = await status.inputValue()
    const open = () => status.evaluate((select) => select.matches(':open'))
    for (const key of ['ArrowDown', 'ArrowUp', 'End', 'a', 'Space']) {
      await status.focus()
      await page.keyboard.press(key)
      await expect.poll(open, { message: key }).toBe(true)
      await page.keyboard.press('Escape')
      await expect.poll(open, { message: key }).toBe(false)
      expect([await status.inputValue(), sent]).toEqual([before, []])
    }

    const wanted = before === 'Annullato' ? 'In attesa' : 'Annullato'
    await page.keyboard.press('ArrowDown')
    await expect.poll(open).toBe(true)
    await page.keyboard.press(wanted === 'Annullato' ? 'End' : 'Home')
    await page.keyboard.press('Enter')
    await page.getByText(new RegExp(`^Ordine \\d+: ${wanted}$`)).waitFor()
    expect(sent).toEqual([JSON.stringify({ fields: { Stato: wanted } })])
    expect(await focused(page)).toMatch(/^Stato ordine /)

    await page.getByRole('button', { name: 'Annulla modifica' }).press('Enter')
    await expect.poll(() => status.inputValue()).toBe(before)
    expect(await focused(page)).toMatch(/^Stato ordine /)
  })
})

describe('on a phone', () => {
  it('back closes the details and leaves the page beneath as it was', async () => {
    const page = await openPage(app, { width: 360, height: 780 })
    await signIn(page)
    await page.getByRole('button', { name: 'Successiva' }).click()
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
    const third = page.getByRole('button', { name: /^Dettagli/ }).nth(2)
    await third.scrollIntoViewIfNeeded()
    const scrolled = await page.evaluate(() => window.scrollY)
    await third.click()
    const dialog = page.getByRole('dialog', { name: 'Dettaglio Ordine' })
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)

    await third.click()
    await dialog.waitFor()
    // The address names the order: a reload opens it again, and back leads to the page.
    await page.reload()
    await dialog.waitFor()
    await page.goBack()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Pagina 2 di 24 • 20 ordini in questa pagina').waitFor()
  })
})

describe('undo', () => {
  it('is beside the status in the details, and on a toast above them at the first press', async () => {
    const page = await openPage(app, { width: 360, height: 780 })
    await signIn(page)
    const dialog = page.getByRole('dialog', { name: 'Dettaglio Ordine' })
    const listed = page.getByRole('combobox', { name: /^Stato ordine/ }).first()
    const before = await listed.inputValue()
    const wanted = before === 'Confermato' ? 'Prenotato Domani' : 'Confermato'
    await listed.selectOption(wanted)
    const undo = page.getByRole('button', { name: 'Annulla modifica' })
    await undo.waitFor()
    await page
      .getByRole('button', { name: /^Dettagli/ })
      .first()
      .click()
    await dialog.getByText('Cronologia').waitFor()
    await undo.click()
    const status = dialog.getByRole('combobox', { name: /^Stato ordine/ })
    await expect.poll(() => status.inputValue()).toBe(before)

    await status.selectOption(wanted)
    await dialog.getByRole('button', { name: 'Annulla modifica' }).click()
    await expect.poll(() => status.inputValue()).toBe(before)
    await dialog.getByText(`Stato aggiornato: ${before}`).waitFor({ state: 'attached' })
  })
})

describe('when the connection fails in the middle', () => {
  it('the list lives without the code of the toasts, and the details need none', async () => {
    const page = await openPage(app)
    await page.route('**/assets/toaster*', (route) => route.abort())
    await signIn(page)
    const details = page.getByRole('button', { name: /^Dettagli/ }).first()
    await details.waitFor()
    // Their code comes after the rows.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.includes('-details-')),
    )
    await page.context().setOffline(true)
    await details.click()
    await page.getByRole('dialog', { name: 'Dettaglio Ordine' }).waitFor()
    expect(await page.getByText('Qualcosa non ha funzionato').count()).toBe(0)
  })
})

/** The pages of the pharmacy's staff. */
const staffPaths = Object.values(paths).filter(
  (path) =>
    !publicPaths.includes(path) &&
    !path.startsWith(paths.admin) &&
    path !== paths.dashboardAlias &&
    path !== paths.priorityDisplay,
)

/** Marks some controls of what is on top of the page. @returns how many */
function markControls(page: Page): Promise<number> {
  return page.evaluate(() => {
    for (const marked of document.querySelectorAll<HTMLElement>('[data-scan]'))
      delete marked.dataset['scan']
    const top = [...document.querySelectorAll('[role=dialog], main')].at(-1)
    const chosen = ['[data-order]', 'select', '[type=checkbox]', 'button', 'a[href]'].flatMap(
      (kind) => {
        const shown = [...(top?.querySelectorAll<HTMLElement>(kind) ?? [])].filter((each) =>
          each.checkVisibility(),
        )
        // Of the buttons the last ones: those of the tools come first.
        const byName = new Map(shown.map((each) => [each.textContent.replace(/\d+/g, ''), each]))
        return [...byName.values()].slice(kind === 'button' ? -3 : -1)
      },
    )
    for (const [index, each] of chosen.entries()) each.dataset['scan'] = String(index)
    return chosen.length
  })
}

/** Scans with the focus on these controls, unless the page has replaced them. @returns on how many */
async function scanEverywhere(page: Page): Promise<number> {
  const marked = await markControls(page)
  let scanned = 0
  for (let index = 0; index < marked; index += 1) {
    const control = page.locator(`[data-scan="${index}"]`)
    if ((await control.count()) === 0) continue
    await control.focus()
    // The code of a pack, or the end of a codice fiscale: digits and letters that are shortcuts.
    await scan(page, index % 2 === 0 ? '1234512345213' : 'XN1J2U')
    scanned += 1
  }
  return scanned
}

describe('a barcode scanner changes nothing, calls nobody and opens nothing', () => {
  let page: Page
  let before: unknown
  const state = () =>
    query(
      app,
      `select jsonb_agg(jsonb_build_array(id, status) order by id) as state from (
         select id::text, status from pharmacy_orders
         union all select id::text, status from priority_access_sessions) as both_tables`,
    )

  beforeAll(async () => {
    const priority = await priorityOf(app)
    const sessions = []
    for (const name of ['Ada Prima', 'Bice Seconda', 'Cino Terzo']) {
      sessions.push((await priority.session(name)).prioritySessionId)
    }
    await query(
      app,
      `update priority_access_sessions set status = 'user_arrived', arrived_at = now()
       where id = any($1)`,
      [sessions],
    )
    before = await state()
    page = await openPage(app)
    await signIn(page)
  })

  it.each(staffPaths)('on %s', async (path) => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    if (path === paths.priority) await page.getByText('Cino Terzo').waitFor()
    const address = page.url()
    // What the page loads is not there at once.
    await expect.poll(() => scanEverywhere(page)).toBeGreaterThan(0)
    expect([page.url(), await page.getByRole('dialog').count()]).toEqual([address, 0])
    expect(await state()).toEqual(before)
  })

  it('with orders selected, and in the details of an order', async () => {
    await page.goto('/')
    const boxes = page.getByRole('checkbox', { name: /^Seleziona ordine/ })
    for (const nth of [0, 2, 4]) await boxes.nth(nth).check()
    expect(await scanEverywhere(page)).toBeGreaterThan(0)
    await page.getByText('3 ordini selezionati').first().waitFor()
    await page
      .getByRole('button', { name: /^Dettagli/ })
      .first()
      .click()
    await page.getByRole('dialog').getByText('Cronologia').waitFor()
    expect(await scanEverywhere(page)).toBeGreaterThan(0)
    expect(await page.getByRole('dialog', { name: 'Dettaglio Ordine' }).count()).toBe(1)
    expect(await state()).toEqual(before)
  })
})

const person = `VRDLCU85T20L219${checkLetter('VRDLCU85T20L219')}`
const prescription = '1300A4111222333'

type Order = { id: string; number: string }

/** Gives these texts and statuses to old orders of San Marco, which are on none of the first pages. */
async function oldOrders(...orders: { details: string; status: string }[]): Promise<Order[]> {
  const changed = (await query(
    app,
    `update pharmacy_orders as record set order_details = given.details, status = given.status
     from (
       select id, row_number() over (order by airtable_created, id) as place from pharmacy_orders
       where order_number is not null and pharmacy_id = (select id from pharmacies where pharmacy_id = 'PHARM-0001')
       order by airtable_created, id limit $2
     ) as old
     join rows from (jsonb_to_recordset($1) as (details text, status text)) with ordinality as given (details, status, place)
       using (place)
     where record.id = old.id returning record.airtable_order_id as id, record.order_number as number`,
    [JSON.stringify(orders), orders.length],
  )) as Order[]
  return changed.sort((a, b) => Number(a.number) - Number(b.number))
}

describe.each([360, 1440])('a scan on the page of the orders, at %i px,', (width) => {
  it('finds them by the card of the customer, a prescription, and the slip', async () => {
    const [waiting, ready] = await oldOrders(
      { details: `Oki per ${person.toLowerCase()}`, status: 'In attesa' },
      { details: `cf vrd lcu 85t20 ${person.slice(11)}, 1300A 4111222333`, status: 'Confermato' },
    )
    const page = await openPage(app, { width, height: 800, dark: width === 360 })
    const told: string[] = []
    page.on('request', (request) => told.push(request.url()))
    page.on('framenavigated', (frame) => told.push(frame.url()))
    page.on('console', (message) => told.push(message.text()))
    await signIn(page)
    const address = page.url()
    const details = (order: Order | undefined) =>
      page.getByRole('dialog').getByRole('group', { name: `Ordine ${order?.number}`, exact: true })
    const several = page.getByRole('dialog', { name: '2 ordini con questo codice' })
    const numbers = async () =>
      (await several.getByRole('listitem').allInnerTexts()).map((text) => /\d+/.exec(text)?.[0])

    await scan(page, person)
    await several.waitFor()
    expect(page.url()).toBe(address)
    expect(await numbers()).toEqual([ready?.number, waiting?.number])
    await pressKeys(page, 'ArrowDown', 'Enter')
    await details(waiting).waitFor()
    // Another customer comes while the details are open.
    await scan(page, person)
    await several.waitFor()
    // An Enter that follows at once is the scanner's own.
    await page.waitForTimeout(700)
    await pressKeys(page, 'Enter')
    await details(ready).waitFor()
    await scan(page, waiting?.number.padStart(3, '0') ?? '')
    await details(waiting).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)

    await scan(page, '4111222333')
    await details(ready).waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await scan(page, '1300B4999999999')
    await page.getByText('Nessun ordine con questo codice').waitFor()
    expect([page.url(), await page.getByRole('dialog').count()]).toEqual([address, 0])

    const field = page.getByRole('searchbox')
    await field.focus()
    await scan(page, person)
    await several.waitFor()
    expect(page.url()).toBe(address)
    await page.keyboard.press('Escape')
    await several.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('')
    await field.fill(`nre *${prescription.slice(0, 5)}* ${prescription.slice(5)}`)
    await details(ready).waitFor()

    // An order that is being written stays, also where the scanner types beside its fields.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)
    await page.getByRole('button', { name: 'Nuovo ordine' }).first().click()
    const sheet = page.getByRole('dialog', { name: 'Nuovo ordine' })
    await sheet.getByLabel('Cliente').fill('Ada')
    await sheet.getByRole('button').first().focus()
    await scan(page, prescription)
    expect([
      await sheet.getByLabel('Cliente').inputValue(),
      await page.getByRole('dialog').count(),
    ]).toEqual(['Ada', 1])

    expect(told.length).toBeGreaterThan(10)
    expect(told.join().toUpperCase()).not.toMatch(new RegExp(`${person}|4111222333`))
    expect(await page.title()).not.toMatch(/\d{5}/)
  })
})
