import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  addOrders,
  ask,
  BASE,
  createClock,
  OTHER_BASE,
  officialTable,
  STOCK,
  start,
  TABLE,
} from '../../test/start.ts'

const CUSTOMERS = Array.from({ length: 23 }, (_, index) => `Cliente ${index + 1}`)
const Page = z.object({
  records: z.array(z.object({ id: z.string() })),
  offset: z.string().optional(),
})

async function startWithOrders(customers = CUSTOMERS) {
  const clock = createClock()
  const airtable = await start({ now: clock.now })
  const ids = addOrders(airtable, customers)
  const page = async (query: string, table = TABLE, base = BASE) => {
    const { body } = await ask(airtable, `/v0/${base}/${table}?${query}`)
    return Page.parse(body)
  }
  return { airtable, ids, clock, page, orders: officialTable(airtable) }
}

describe('the official client reads', () => {
  it('gives all records in the order they were made, as they are', async () => {
    const { orders, ids } = await startWithOrders()
    const all = await orders.select().all()
    expect(all.map((record) => record.id)).toEqual(ids)
    expect(all[2]?.fields).toEqual({
      'ID Ordine': 3,
      Cliente: 'Cliente 3',
      Stato: 'In attesa',
      Created: '1970-01-01T00:02:00.000Z',
      Last: '1970-01-01T00:02:00.000Z',
    })
  })

  it('turns the pages one by one, and the last is shorter', async () => {
    const { orders, airtable } = await startWithOrders()
    const pages: unknown[][] = []
    await orders.select({ pageSize: 10 }).eachPage((records, next) => {
      pages.push(records.map((record) => record.get('Cliente')))
      next()
    })
    expect(pages.map((page) => page.length)).toEqual([10, 10, 3])
    expect(pages.flat()).toEqual(CUSTOMERS)
    expect(airtable.requests().byMethod).toEqual({ GET: 3 })
  })

  it('stops at maxRecords, over several pages', async () => {
    const { orders, airtable } = await startWithOrders()
    const found = await orders.select({ maxRecords: 7, pageSize: 3 }).all()
    expect(found.map((record) => record.get('Cliente'))).toEqual(CUSTOMERS.slice(0, 7))
    expect(airtable.requests().total).toBe(3)
  })
})

describe('sorting', () => {
  const ROWS = [
    { Nome: 'b', Pezzi: 10 },
    { Nome: 'a', Pezzi: 9 },
    { Nome: 'c', Pezzi: 9 },
    { Pezzi: 100 },
    { Nome: 'd' },
  ]
  const cases: { sort: { field: string; direction?: 'asc' | 'desc' }[]; names: string[] }[] = [
    { sort: [{ field: 'Nome' }], names: ['-', 'a', 'b', 'c', 'd'] },
    { sort: [{ field: 'Nome', direction: 'desc' }], names: ['d', 'c', 'b', 'a', '-'] },
    { sort: [{ field: 'Pezzi', direction: 'asc' }], names: ['d', 'a', 'c', 'b', '-'] },
    {
      sort: [
        { field: 'Pezzi', direction: 'asc' },
        { field: 'Nome', direction: 'desc' },
      ],
      names: ['d', 'c', 'a', 'b', '-'],
    },
    {
      sort: [{ field: 'Pezzi', direction: 'desc' }, { field: 'Nome' }],
      names: ['-', 'b', 'a', 'c', 'd'],
    },
  ]

  it.each(cases)('sorts by $sort', async ({ sort, names }) => {
    const airtable = await start()
    airtable.create(
      BASE,
      STOCK.id,
      ROWS.map((fields) => ({ fields })),
    )
    const found = await officialTable(airtable, { table: STOCK.id }).select({ sort }).all()
    expect(found.map((record) => record.get('Nome') ?? '-')).toEqual(names)
  })

  it('sorts times by time', async () => {
    const airtable = await start()
    const times = ['2026-01-10', '2025-12-31', '2026-01-09'].map((day) => Date.parse(day))
    airtable.create(
      BASE,
      TABLE,
      times.map((createdTime) => ({ fields: {}, createdTime })),
    )
    const sort = [{ field: 'Created' }]
    const found = await officialTable(airtable)
      .select({ sort, fields: ['ID Ordine'] })
      .all()
    expect(found.map((record) => record.get('ID Ordine'))).toEqual([2, 3, 1])
  })
})

describe('an offset', () => {
  const gone = { status: 422, body: { error: 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE' } }
  const LIFETIME = 5 * 60_000

  it('is good until its time is over', async () => {
    const { airtable, clock, page } = await startWithOrders()
    const first = await page('pageSize=10')
    clock.move(LIFETIME)
    const second = await page(`pageSize=10&offset=${first.offset}`)
    expect(second.records).toHaveLength(10)
    clock.move(LIFETIME + 1)
    expect(await ask(airtable, `/v0/${BASE}/${TABLE}?offset=${second.offset}`)).toEqual(gone)
  })

  it.each([
    { what: 'another table', base: BASE, table: STOCK.id },
    { what: 'the same table of another base', base: OTHER_BASE, table: TABLE },
  ])('says nothing to $what', async ({ base, table }) => {
    const { airtable, page } = await startWithOrders()
    const { offset } = await page('pageSize=10')
    expect(await ask(airtable, `/v0/${base}/${table}?offset=${offset}`)).toEqual(gone)
  })

  it.each(['10', 'abc', 'itr', 'rec1/itr1'])('is refused when it is %j', async (offset) => {
    const { airtable } = await startWithOrders()
    expect(await ask(airtable, `/v0/${BASE}/${TABLE}?offset=${offset}`)).toEqual({
      status: 422,
      body: {
        error: {
          type: 'INVALID_OFFSET_VALUE',
          message: `The value of offset ${offset} is invalid`,
        },
      },
    })
  })

  it('goes on with what was there at the start, without what has gone since', async () => {
    const { airtable, ids, page } = await startWithOrders(CUSTOMERS.slice(0, 6))
    const first = await page('pageSize=3')
    addOrders(airtable, ['Late'])
    airtable.remove(BASE, TABLE, ids[0] ?? '')
    airtable.remove(BASE, TABLE, ids[4] ?? '')
    const second = await page(`pageSize=3&offset=${first.offset}`)
    expect(second).toEqual({
      records: [expect.objectContaining({ id: ids[3] }), expect.objectContaining({ id: ids[5] })],
    })
  })
})
