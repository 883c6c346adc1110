import { readFile } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import exceljs from 'exceljs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AppWithAirtable, startAppWithAirtable } from './support/app-with-airtable.ts'
import { readBars } from './support/barcodes.ts'
import { openPage, openPharmacy, openWritable, signIn, untilLive } from './support/browser.ts'
import { passWaits, query } from './support/database.ts'

const PIXELS_PER_MM = 96 / 25.4
/** Dots of a thermal printer for each CSS pixel. */
const DOTS = 203 / 96

let app: AppWithAirtable
beforeAll(async () => {
  app = await startAppWithAirtable()
})
afterAll(() => app.dispose())

async function exported(
  page: Page,
  format: 'CSV' | 'XLSX',
): Promise<{ name: string; bytes: Buffer }> {
  await page.getByRole('button', { name: 'Esporta' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(new RegExp(format)).check()
  const arrives = page.waitForEvent('download')
  await dialog.getByRole('button', { name: /^Esporta/ }).click()
  const download = await arrives
  const bytes = await readFile(await download.path())
  await page.keyboard.press('Escape')
  return { name: download.suggestedFilename(), bytes }
}

describe('what is handed on', () => {
  it('is a file of the orders that are filtered, which spreadsheets open', async () => {
    const page = await openPage(app)
    await openPharmacy(page, '/?stato=Annullato')
    await page
      .getByText(/ordini trovati/)
      .first()
      .waitFor()
    const statuses = [...(await app.airtable.statuses()).values()]
    const cancelled = statuses.filter((status) => status === 'Annullato').length

    const csv = await exported(page, 'CSV')
    expect(csv.name).toMatch(/^ordini-\d{4}-\d\d-\d\d\.csv$/)
    expect([...csv.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
    const lines: Record<string, string>[] = parse(csv.bytes, {
      bom: true,
      delimiter: ';',
      columns: true,
    })
    expect(lines).toHaveLength(cancelled)
    expect(new Set(lines.map((line) => line['Stato']))).toEqual(new Set(['Annullato']))
    const first = await page.getByRole('rowheader').first().innerText()
    expect(lines[0]?.['ID Ordine']).toBe(/\d+/.exec(first)?.[0])

    const xlsx = await exported(page, 'XLSX')
    expect(xlsx.name).toMatch(/\.xlsx$/)
    const book = new exceljs.Workbook()
    await book.xlsx.load(new Uint8Array(xlsx.bytes).buffer)
    const [sheet] = book.worksheets
    expect(sheet?.rowCount).toBe(cancelled + 1)
    expect(sheet?.getCell('A2').text).toBe(lines[0]?.['ID Ordine'])
  })
})

describe('what is known of an order', () => {
  it('is on every screen: its notes, who did what, and how to answer the customer', async () => {
    const counter = await openPage(app)
    const back = await openPage(app, { width: 390, height: 844 })
    for (const page of [counter, back]) {
      await signIn(page)
      await untilLive(page)
    }
    const details = await openWritable(counter)
    const name = await details.getByRole('group').first().getAttribute('aria-label')
    const number = name?.replace('Ordine ', '') ?? ''
    await back.getByRole('button', { name: `Dettagli ordine ${number}` }).click()
    const there = back.getByRole('dialog', { name: 'Dettaglio Ordine' })
    await there.getByText('Cronologia').waitFor()

    await details.getByLabel('Nuova nota').fill('Richiamare dopo le 18')
    await details.getByRole('button', { name: 'Salva nota' }).click()
    await there.getByText('Richiamare dopo le 18').waitFor({ timeout: 5_000 })
    await there.getByText('tu, da un altro dispositivo').waitFor()

    const select = details.getByLabel(`Stato ordine ${number}`)
    const was = await select.inputValue()
    const other = was === 'Annullato' ? 'Confermato' : 'Annullato'
    await select.selectOption(other)
    await details.getByText(`Da «${was}» a «${other}»`).waitFor()
    const seen = there.getByRole('listitem').filter({ hasText: `Da «${was}» a «${other}»` })
    await seen.getByText('tu, da un altro dispositivo').waitFor({ timeout: 5_000 })
    expect(await there.getByLabel(`Stato ordine ${number}`).inputValue()).toBe(other)

    await details.getByRole('button', { name: 'WhatsApp' }).click()
    await details.getByRole('button', { name: 'Modifica testi' }).click()
    await details.getByRole('button', { name: 'Nuovo testo' }).click()
    await details.getByLabel('Titolo').fill('Pronto')
    await details
      .getByLabel('Testo', { exact: true })
      .fill('Gentile {nome}, il n. {numero} è qui:\n50% & +1 #')
    await details.getByRole('button', { name: 'Salva testo' }).click()
    await details.getByText('Pronto', { exact: true }).waitFor()
    await details.getByRole('button', { name: 'Fine' }).click()
    const customer = await details.locator('dt:text-is("Cliente") + dd').innerText()
    const text = `Gentile ${customer}, il n. ${number} è qui:\n50% & +1 #`
    expect(await details.getByLabel('Messaggio').inputValue()).toBe(text)
    const phone = (await details.locator('dt:text-is("Contatti") + dd').innerText()).replaceAll(
      /\D/g,
      '',
    )
    const digits = phone.replace(/^(00)?39(?=\d{9,10}$)/, '')
    const link = await details
      .getByRole('link', { name: /Scrivi su WhatsApp/ })
      .getAttribute('href')
    expect(link).toBe(`https://wa.me/39${digits}?text=${encodeURIComponent(text)}`)
  })

  it('goes on a slip of paper, alone and under its number', async () => {
    const page = await openPage(app)
    const printed: string[] = []
    await page.exposeFunction('notePrinting', (title: string) => printed.push(title))
    await page.addInitScript('window.print = () => window.notePrinting(document.title)')
    await signIn(page)
    const details = await openWritable(page)
    const name = await details.getByRole('group').first().getAttribute('aria-label')
    const customer = await details.locator('dt:text-is("Cliente") + dd').innerText()
    const title = await page.title()
    await details.getByRole('button', { name: 'Stampa foglio' }).click()
    await expect.poll(() => printed).toEqual([name])
    await page.emulateMedia({ media: 'print' })
    const paper = await page.locator('body').innerText()
    expect(paper).toContain(customer)
    expect(paper).toContain(name?.replace('Ordine ', ''))
    expect(paper).toContain('Ritirato da')
    expect(paper).not.toMatch(/Dettaglio Ordine|Cronologia|ordini totali/i)
    await page.emulateMedia({ media: 'screen' })
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
    await expect.poll(() => page.title()).toBe(title)
  })

  it('has its number as bars, on the slip and on the label of its bag', async () => {
    const page = await openPage(app, { scale: DOTS, dark: true })
    await page.addInitScript('window.print = () => undefined')
    await signIn(page)
    const details = await openWritable(page)
    const id = new URL(page.url()).searchParams.get('ordine')

    async function barsOf(button: string) {
      await details.getByRole('button', { name: button }).click()
      await page.emulateMedia({ media: 'print' })
      const paper = page.locator('[data-print-alone]')
      const read = await readBars(await paper.screenshot())
      const { width = 0 } = (await paper.locator('svg').boundingBox()) ?? {}
      await page.emulateMedia({ media: 'screen' })
      await page.evaluate(() => window.dispatchEvent(new Event('afterprint')))
      return [read, width > 72 * PIXELS_PER_MM]
    }

    // All characters of the code among them.
    for (const number of [
      '!"#$%&\'()*+,-./AZ',
      '0123456789:;<=>?@BCDE',
      'FGHIJKLMNOPQRSTUVWXY',
      '[]^_`abcdefghijklmno',
      'pqrstuvwxyz{|}~ \\.',
      '7',
    ]) {
      await query(
        app,
        'update pharmacy_orders set order_number = $1 where airtable_order_id = $2',
        [number, id],
      )
      await details.getByRole('group', { name: `Ordine ${number}`, exact: true }).waitFor()
      const bars = number === '7' ? '007' : number
      expect.soft(await barsOf('Stampa foglio')).toEqual([[bars], false])
    }
    expect(await barsOf('Etichetta sacchetto')).toEqual([['007'], false])
  })
})

describe('what is let in', () => {
  it('is an order by the API, which appears on the open screen', async () => {
    const page = await openPage(app)
    await openPharmacy(page, '/account/api-keys')
    await page.getByRole('button', { name: 'Nuova chiave' }).click()
    await page.getByLabel('Nome').fill('Il nostro sito')
    await page.getByRole('button', { name: 'Crea' }).click()
    const key = await page.getByText(/^bnc_/).first().innerText()
    await page.getByRole('button', { name: 'Ho copiato la chiave' }).click()

    await page.goto('/')
    await untilLive(page)
    const send = () =>
      fetch(`${app.url}/api/orders`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key.trim()}`,
          'content-type': 'application/json',
          'idempotency-key': 'order-of-the-site-1',
        },
        body: JSON.stringify({ fields: { Cliente: 'Zoe Remota', Ordine: 'Un collirio' } }),
      })
    const replies = [await send(), await send()]
    expect(replies.map(({ status }) => status)).toEqual([201, 201])
    await page.getByRole('row').filter({ hasText: 'Zoe Remota' }).waitFor({ timeout: 5_000 })
    await page.getByText('Hai 1 nuovo ordine').first().waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'Zoe Remota' }).count()).toBe(1)

    await page.goto('/account/api-keys')
    await page
      .getByRole('button', { name: /^Revoca/ })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoca' }).click()
    // While a dialog is open, the page behind it is inert.
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'Il nostro sito' })
      .waitFor({ state: 'detached' })
    expect((await send()).status).toBe(401)
  })

  it('is an order by hand while Airtable is away, which has its number once Airtable is back', async () => {
    const page = await openPage(app)
    await signIn(page)
    await untilLive(page)
    const before = (await app.airtable.statuses()).size
    await app.airtable.down()
    await page.keyboard.press('n')
    const form = page.getByRole('dialog', { name: 'Nuovo ordine' })
    await form.getByLabel('Cliente').fill('Nina Senzarete')
    await form.getByLabel('Prodotto richiesto').fill('Un termometro')
    await form.getByRole('button', { name: 'Salva' }).click()
    await page.getByText('Ordine salvato').waitFor()
    const row = page.getByRole('row').filter({ hasText: 'Nina Senzarete' })
    await row.getByRole('button', { name: /Dettagli/ }).click()
    const details = page.getByRole('dialog', { name: 'Dettaglio Ordine' })
    await details.getByText('Inserito da te').waitFor()
    await app.airtable.up()
    await passWaits(app)
    // The sandbox gives the numbers.
    await details.getByRole('group', { name: /^Ordine \d+$/ }).waitFor({ timeout: 75_000 })
    await page.keyboard.press('Escape')
    await expect.poll(() => row.getByRole('rowheader').innerText()).toMatch(/^\d+$/)
    expect(await row.count()).toBe(1)
    expect((await app.airtable.statuses()).size).toBe(before + 1)
  }, 120_000)

  it('is what the page of the documentation sends with a key', async () => {
    const page = await openPage(app)
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await openPharmacy(page, '/account/api-keys')
    await page.getByRole('button', { name: 'Nuova chiave' }).click()
    await page.getByLabel('Nome').fill('Una prova')
    await page.getByRole('button', { name: 'Crea' }).click()
    const key = await page.getByText(/^bnc_/).first().innerText()
    await page.getByRole('button', { name: 'Ho copiato la chiave' }).click()

    await page.goto('/api/docs')
    await page.getByRole('button', { name: 'Authorize' }).click()
    const ofKeys = page.locator('.auth-container').filter({ hasText: 'An API key of the pharmacy' })
    await ofKeys.getByRole('textbox').fill(key.trim())
    await ofKeys.getByRole('button', { name: 'Apply credentials' }).click()
    await ofKeys.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Create an order').click()
    await page.getByPlaceholder('Idempotency-Key').fill('order-of-the-page-1')
    await page.getByRole('button', { name: 'Execute' }).click()
    await page
      .locator('.live-responses-table')
      .getByRole('cell', { name: '201', exact: true })
      .first()
      .waitFor()
    expect(complaints).toEqual([])
  })
})
