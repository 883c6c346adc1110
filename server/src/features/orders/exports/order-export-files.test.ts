import { parse } from 'csv-parse/sync'
import ExcelJS from 'exceljs'
import { beforeAll, describe, expect, it } from 'vitest'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'

const labels = [
  'ID Ordine',
  'Data Ordine',
  'Cliente',
  'Telefono',
  'Indirizzo',
  'Prodotto Richiesto',
  'Stato',
  'Ultimo Aggiornamento',
  'ID Record',
]

const PRESCRIPTION = 'NRE 1300A4000000248 cf RSSMRA79B11C566R'
const long = `${'x'.repeat(32_765)}😀 and more`

/** What is asked for, and what each file must say of it; newest last. */
const texts = [
  { written: 'Tachipirina 1000', csv: 'Tachipirina 1000' },
  { written: 'di "marca"; o\r\nequivalente\r', csv: 'di "marca"; o\nequivalente\n' },
  {
    written: '=HYPERLINK("http://example.org";"qui")',
    csv: `'=HYPERLINK("http://example.org";"qui")`,
  },
  { written: '- aspirina\n- garze', csv: "'- aspirina\n- garze" },
  { written: '@SUM(1)', csv: "'@SUM(1)" },
  { written: '+cmd|x', csv: "'+cmd|x" },
  { written: '\t=1+1', csv: "'\t=1+1" },
  { written: ' \u00a0=1+1', csv: "' \u00a0=1+1" },
  { written: '0012', csv: '="0012"' },
  { written: '8033661234567', csv: '="8033661234567"' },
  { written: '3E5', csv: '="3E5"' },
  { written: '1-2', csv: '="1-2"' },
  { written: '-1-2', csv: "'-1-2" },
  { written: 'perché 😀 <b>&amp; ]]>', csv: 'perché 😀 <b>&amp; ]]>' },
  { written: 'con\u0001trol\u001flo\u007f\ufffe', csv: 'controllo' },
  { written: PRESCRIPTION, csv: PRESCRIPTION },
  { written: long, csv: `${'x'.repeat(32_765)}…` },
].map(({ written, csv }) => ({ written, csv, xlsx: csv.replace(/^'|^="|"$/g, '') }))

const phones = [
  { written: '+39 333 123 4567', csv: '+39 333 123 4567' },
  { written: '+393331234567', csv: '+39 3331234567' },
  { written: '0412345678', csv: '041 2345678' },
  { written: '333.123.4567', csv: '333 123 4567' },
  { written: '(041) 23/45-67', csv: '041 23 45 67' },
  { written: '+1+2+3+4+5+6', csv: "'+1+2+3+4+5+6" },
  { written: "=cmd|'/c calc'!A0", csv: "'=cmd|'/c calc'!A0" },
  { written: 'ore pasti', csv: 'ore pasti' },
]

/** With the days on which they were made and last changed. */
const sorted = [
  ['recAaaaaaaaaaaaaa', 'Zoe', 1, 2],
  ['recBbbbbbbbbbbbbb', null, 2, 3],
  ['recCcccccccccccccc', 'Àlvise', 3, 1],
  ['recDdddddddddddddd', 'Bruno', 3, 1],
] as const

let server: TestServer
let ownId: string
let headers: { authorization: string }

beforeAll(async () => {
  server = await testServer()
  ownId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  headers = await server.signIn('own@example.it')
  const at = (n: number) => new Date(Date.UTC(2015, 2, 28, 22, n)).toISOString()
  const orders = [
    ...texts.map(({ written }, n) => sourceOrder({ details: written, createdAt: at(n) })),
    ...phones.map(({ written }, n) =>
      sourceOrder({ customerPhone: written, createdAt: at(100 + n), details: 'Telefono' }),
    ),
    sourceOrder({
      recordId: 'recEmpty000000001',
      orderNumber: null,
      customerName: null,
      customerPhone: null,
      address: null,
      details: null,
      status: 'Annullato',
      createdAt: '2015-03-29T01:05:59.500Z',
      updatedAt: '2015-12-31T23:30:00.000Z',
    }),
    sourceOrder({
      orderNumber: '0012',
      details: 'a_x0041_',
      createdAt: '2015-04-01T10:00:00.000Z',
    }),
    sourceOrder({ orderNumber: '4711', details: 'Numero', createdAt: '2015-04-02T10:00:00.000Z' }),
    ...sorted.map(([recordId, customerName, created, updated]) =>
      sourceOrder({
        recordId,
        customerName,
        details: 'Ordinamento',
        status: 'Prenotato Domani',
        createdAt: `2015-05-0${created}T10:00:00.000Z`,
        updatedAt: `2015-06-0${updated}T10:00:00.000Z`,
      }),
    ),
  ]
  await createOrderCopyStore(server.database.db, noHooks).saveOrders(ownId, orders, at(0))
})

async function fileOf(format: 'csv' | 'xlsx', sought: object = {}) {
  const started = await server.app.inject({
    method: 'POST',
    url: '/api/orders/exports',
    headers,
    payload: { format, ordina: 'meno-recenti', ...sought },
  })
  if (started.statusCode !== 200) throw new Error(started.body)
  const { id } = started.json<{ id: string }>()
  const url = `/api/orders/exports/${id}/file`
  const taken = await server.app.inject({ url, headers })
  if (taken.statusCode !== 200) throw new Error(taken.body)
  return taken
}

type Cells = Record<string, string>

async function csvRows(sought?: object): Promise<Cells[]> {
  const { rawPayload } = await fileOf('csv', sought)
  return parse(rawPayload, { bom: true, delimiter: ';', columns: true })
}

async function workbook(sought?: object) {
  const { rawPayload } = await fileOf('xlsx', sought)
  const book = new ExcelJS.Workbook()
  await book.xlsx.load(new Uint8Array(rawPayload).buffer)
  return book
}

async function sheetRows(sought?: object): Promise<Record<string, ExcelJS.CellValue>[]> {
  const sheet = (await workbook(sought)).getWorksheet('Ordini')
  const rows = sheet?.getRows(2, sheet.rowCount - 1) ?? []
  return rows.map((row) =>
    Object.fromEntries(labels.map((label, index) => [label, row.getCell(index + 1).value])),
  )
}

/** The columns in which the codes of the prescription are. */
function columnsWithCodes(rows: readonly Record<string, unknown>[]): string[] {
  const cells = rows.flatMap((row) => Object.entries(row))
  const found = cells.filter(([, value]) => /4000000248|RSSMRA79B11C566R/i.test(String(value)))
  return found.map(([column]) => column)
}

describe('a file for Italian Excel (CSV)', () => {
  it('begins with the mark of UTF-8 and labels in quotes, and ends its lines as Windows does', async () => {
    const { rawPayload, headers: sent } = await fileOf('csv', { stato: ['Annullato'] })
    expect(rawPayload.toString('utf8')).toBe(
      `\ufeff${labels.map((label) => `"${label}"`).join(';')}\r\n` +
        ';29/03/2015 03:05;;;;;Annullato;01/01/2016 00:30;recEmpty000000001\r\n',
    )
    expect(sent).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(sent['content-disposition']).toMatch(/^attachment; filename="ordini-[\d-]{10}\.csv"$/)
  })

  it('holds every text as it was written, but none that Excel would reckon with', async () => {
    const rows = await csvRows()
    const found = rows.slice(0, texts.length).map((row) => row['Prodotto Richiesto'])
    expect(found).toEqual(texts.map(({ csv }) => csv))
    expect(columnsWithCodes(rows)).toEqual(['Prodotto Richiesto'])
    const numbers = rows.filter((row) => row['Prodotto Richiesto'] === 'Telefono')
    expect(numbers.map((row) => row['Telefono'])).toEqual(phones.map(({ csv }) => csv))
  })
})

describe('a workbook (XLSX)', () => {
  it('holds every text as it was written', async () => {
    const rows = await sheetRows()
    const found = rows.slice(0, texts.length).map((row) => row['Prodotto Richiesto'])
    expect(found).toEqual(texts.map(({ xlsx }) => xlsx))
    expect(columnsWithCodes(rows)).toEqual(['Prodotto Richiesto'])
    const numbers = rows.filter((row) => row['Prodotto Richiesto'] === 'Telefono')
    expect(numbers.map((row) => row['Telefono'])).toEqual(phones.map(({ written }) => written))
  })

  it('has times of Rome as times, and numbers of orders as numbers unless they begin with a zero', async () => {
    const rows = await sheetRows()
    // Excel reads '_x0041_' as an A, and this as what was written. The library reads neither.
    expect(rows.map((row) => row['Prodotto Richiesto'])).toContain('a_x005F_x0041_')
    expect(rows.slice(-7, -4)).toMatchObject([
      {
        'ID Ordine': null,
        'Data Ordine': new Date('2015-03-29T03:05:00.000Z'),
        Cliente: null,
        Telefono: null,
        Indirizzo: null,
        'Prodotto Richiesto': null,
        Stato: 'Annullato',
        'Ultimo Aggiornamento': new Date('2016-01-01T00:30:00.000Z'),
        'ID Record': 'recEmpty000000001',
      },
      { 'ID Ordine': '0012', Cliente: 'Giulia Bianchi', Indirizzo: 'Via Roma 1, Venezia' },
      { 'ID Ordine': 4711, 'Data Ordine': new Date('2015-04-02T12:00:00.000Z') },
    ])
  })

  it('shows its labels in bold, keeps them in sight and filters by them', async () => {
    const sheet = (await workbook()).getWorksheet('Ordini')
    if (!sheet) throw new Error('there is no sheet')
    expect(labels.map((_label, index) => sheet.getCell(1, index + 1).value)).toEqual(labels)
    expect(sheet.getCell('A1').font.bold).toBe(true)
    expect(sheet.getCell('A2').font.bold).toBeFalsy()
    expect(sheet.views).toMatchObject([{ state: 'frozen', ySplit: 1 }])
    expect(sheet.autoFilter).toBe(`A1:I${sheet.rowCount}`)
    expect(sheet.getColumn(6).width).toBe(60)
    expect(sheet.getCell('B2').numFmt).toBe('dd/mm/yyyy hh:mm')
  })

  it('is one also without any order', async () => {
    expect(await sheetRows({ stato: ['Confermato'] })).toEqual([])
  })
})

describe('both', () => {
  it('hold the same orders in the same order: those that are filtered, sorted as they were', async () => {
    const sought = { stato: ['In attesa'], ordina: 'recenti' }
    const ids = (rows: Record<string, unknown>[]) => rows.map((row) => row['ID Record'])
    const { rows: expected } = await server.database.pool.query<{ id: string }>(
      `select airtable_order_id as id from pharmacy_orders where status = 'In attesa'
       order by airtable_created desc`,
    )
    expect(expected).toHaveLength(texts.length + phones.length + 2)
    expect(ids(await csvRows(sought))).toEqual(expected.map(({ id }) => id))
    expect(ids(await sheetRows(sought))).toEqual(expected.map(({ id }) => id))
  })

  it.each([
    { sought: { q: 'bianchi TELEFONO' }, found: phones.length },
    { sought: { q: '?!' }, found: 0 },
    // Days of Rome: the last order of March was made on the 29th there.
    { sought: { dal: '2015-03-29', al: '2015-03-29', q: 'telefono' }, found: phones.length },
    { sought: { dal: '2015-03-30', periodo: 'oggi' }, found: 2 + sorted.length },
    { sought: { periodo: 'mese-scorso' }, found: 0 },
  ])('hold what was looked for: $sought', async ({ sought, found }) => {
    expect(await csvRows(sought)).toHaveLength(found)
  })

  it.each([
    { ordina: 'recenti', ids: 'DCBA' },
    { ordina: 'meno-recenti', ids: 'ABCD' },
    { ordina: 'aggiornati', ids: 'BADC' },
    { ordina: 'cliente', ids: 'CDAB' },
  ])('are sorted as the list was: $ordina', async ({ ordina, ids }) => {
    for (const sought of [{ stato: ['Prenotato Domani'] }, { q: 'ordinamento' }]) {
      const rows = await csvRows({ ...sought, ordina })
      expect(rows.map((row) => row['ID Record']?.charAt(3)).join('')).toBe(ids)
    }
  })
})
