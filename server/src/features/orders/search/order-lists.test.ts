import {
  LATE_AFTER_MS,
  type OrderSort,
  OrderStatus,
  type OrdersPage,
} from '@bancone/contract/orders'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type TestServer, testServer } from '../../../../test/server.ts'
import type { Database } from '../../../database/database.ts'
import { createOrderSearchStore } from './order-search.store.ts'

const DAY_MS = 24 * 60 * 60_000
const now = Date.parse('2026-06-15T10:00:00Z')

let server: TestServer
let pharmacyId: string
let headers: { authorization: string }

type Made = {
  id: number
  recordId: string
  created: number
  last: number
  status: string
  isReady: boolean
  name: string | null
  details: string
  /** What words are looked for in, and what the list by customers is sorted by. */
  text: string
  key: string
}

const folded = (text: string) => text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')

/** The same numbers each time, as if by chance. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const ORDERS = 6_000
const statuses = [...OrderStatus.options.slice(0, 4), 'Da richiamare']

/**
 * Of two and a half years, most of them of late: one in a while in the very moment of the one before, five
 * hundred all in one moment, some just as a day begins or ends, and few of them 'Annullato'.
 */
function someOrders(): Made[] {
  const pick = chance(7)
  const made: Made[] = []
  let created = now
  for (let id = 1; id <= ORDERS; id += 1) {
    const midnight = Math.floor(created / DAY_MS) * DAY_MS
    const isBlock = id > 2_000 && id <= 2_500
    if (!isBlock && pick(4) > 0) created -= pick(id < 3_000 ? DAY_MS / 20 : DAY_MS / 3)
    // In the first moment of a day in UTC, in which a part of the search ends, and in the last one.
    if (created < midnight) created = midnight - (id % 2)
    const name =
      pick(9) === 0 ? null : `${['Rossi', 'Bianchi', 'Calò', 'Zen'][pick(4)]} ${pick(40)}`
    const words = ['oki', ...(pick(50) === 0 ? ['rarità'] : []), ...(id > 5_900 ? ['antico'] : [])]
    made.push({
      id: ORDERS - id + 1,
      recordId: `rec${id}`,
      created,
      last: now - pick(900) * DAY_MS,
      status: pick(300) === 0 ? 'Annullato' : (statuses[pick(5)] ?? ''),
      isReady: id % 37 === 0,
      name,
      details: words.join(' '),
      text: folded(` ${name ?? ''} ${words.join(' ')}`),
      key: name === null ? '~' : folded(name),
    })
  }
  return made
}

const orders = someOrders()

beforeAll(async () => {
  server = await testServer({ clock: { now: () => now } })
  pharmacyId = await server.addPharmacy({ email: 'lists@example.it', code: 'PHARM-0001' })
  const otherId = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  headers = await server.signIn('lists@example.it')
  const insert = `insert into pharmacy_orders (id, pharmacy_id, airtable_order_id, customer_name,
      order_details, status, airtable_created, airtable_last, ready_at)
    overriding system value
    select o.id + $3, $1, o."recordId", o.name, o.details, o.status,
      to_timestamp(o.created / 1000.0), to_timestamp(o.last / 1000.0), case when o."isReady" then to_timestamp($4 / 1000.0) - case when o.id % 2 = 0 then interval '3 days' else interval '1 day' end end
    from jsonb_to_recordset($2::jsonb) o (id bigint, "recordId" text, created float8, last float8,
      status text, name text, details text, "isReady" boolean)`
  await server.database.pool.query(insert, [pharmacyId, JSON.stringify(orders), 0, now])
  const others = orders.map((order) => ({ ...order, recordId: `recX${order.id}` }))
  await server.database.pool.query(insert, [otherId, JSON.stringify(others), 100_000, now])
  // As a reading of many orders does.
  await server.database.pool.query('select analyze_orders()')
})

type Asked = {
  q?: string | undefined
  stato?: string[] | undefined
  ritardo?: 'si' | undefined
  ritiro?: 'si' | 'scaduti' | undefined
  dal?: string
  al?: string
  ordina?: OrderSort
  pageSize?: number
}

async function search({ q, stato, ...rest }: Asked, page = 1): Promise<OrdersPage> {
  if (q !== undefined) return post('/api/orders/search', { q, stato, ...rest, page })
  const query = new URLSearchParams({ ...(stato && { stato: stato.join(',') }), page: `${page}` })
  for (const [name, value] of Object.entries(rest)) query.set(name, String(value))
  const url = `/api/airtable-orders?${query.toString()}`
  const reply = await server.app.inject({ url, headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

async function post<Reply>(path: string, payload: object): Promise<Reply> {
  const reply = await server.app.inject({ method: 'POST', url: path, headers, payload })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

const holds = ({ text }: Made, word: string) => text.includes(word.length < 3 ? ` ${word}` : word)

/** June is summer time, two hours ahead of UTC; of winter time no day is asked for. */
const begins = (day: string) => Date.parse(`${day}T00:00:00+02:00`)

const before: Record<OrderSort, (a: Made, b: Made) => number> = {
  recenti: (a, b) => b.created - a.created || b.id - a.id,
  'meno-recenti': (a, b) => a.created - b.created || a.id - b.id,
  aggiornati: (a, b) => b.last - a.last || b.id - a.id,
  cliente: (a, b) => (a.key === b.key ? before.recenti(a, b) : a.key < b.key ? -1 : 1),
}

const isLate = ({ status, created }: Made) =>
  status === 'In attesa' && created < now - LATE_AFTER_MS

const isToCollect = ({ isReady, status }: Made) => isReady && status !== 'Annullato'

/** Every other one was ready three days ago. */
const isOverdue = (order: Made) => isToCollect(order) && order.id % 2 === 0

/** What is to be found, by looking at every order. */
function expected({ q, stato, ritardo, ritiro, dal, al, ordina = 'recenti' }: Asked): Made[] {
  return orders
    .filter(
      (order) =>
        (q === undefined || q.split(' ').every((word) => holds(order, word))) &&
        (ritardo
          ? isLate(order)
          : ritiro
            ? ritiro === 'si'
              ? isToCollect(order)
              : isOverdue(order)
            : stato === undefined || stato.includes(order.status)) &&
        (dal === undefined || order.created >= begins(dal)) &&
        (al === undefined || order.created < begins(al) + DAY_MS),
    )
    .sort(before[ordina])
}

const ids = (records: { id: string }[]) => records.map(({ id }) => id)

const idsOfPage = (all: Made[], page: number, size: number) =>
  all.slice((page - 1) * size, page * size).map(({ recordId }) => recordId)

const filters: Asked[] = [
  {},
  { stato: ['Confermato'] },
  { stato: ['In attesa', 'Prenotato Domani', 'Annullato'] },
  { stato: ['Annullato'] },
  { stato: OrderStatus.options },
  { al: '2025-08-20' },
  { dal: '2025-08-01', al: '2026-05-20', stato: ['In attesa', 'Confermato'] },
  { dal: '2026-06-10', al: '2026-06-09' },
  { dal: '2026-06-12', al: '2026-06-12' },
  { ritardo: 'si' },
  { ritiro: 'si', stato: ['Annullato'] },
  { ritiro: 'si', dal: '2026-05-01' },
  { ritiro: 'scaduti' },
  { ritardo: 'si', dal: '2026-06-01', al: '2026-06-15', stato: ['Annullato'] },
]
const words = [undefined, 'oki', 'rossi rarita', 'antico', 'calo 3', 'assente']
/** Every filter with no words, with a word that all orders hold and with rare words; the rest with a few. */
const cases = words.flatMap((q, index) =>
  filters
    .filter((_filter, place) => index < 3 || place % 3 === index % 3)
    .map((filter) => (q ? { ...filter, q } : filter)),
)

/** The first pages, some in the middle, the last one and one far behind it. */
const pagesOf = (last: number) =>
  [...new Set([1, 2, 3, Math.ceil(last / 3), Math.ceil(last / 2), last, 1_000])].filter(
    (page) => page > 0,
  )

it('counts the late orders, and those to be collected, on every page', async () => {
  const { statistics } = await search({ stato: ['Confermato'] })
  expect(statistics.late).toBe(orders.filter(isLate).length)
  expect(statistics.toCollect).toBe(orders.filter(isToCollect).length)
  expect(orders.filter(({ status }) => status === 'In attesa').length).toBeGreaterThan(
    statistics.late,
  )
})

describe('a list of orders', () => {
  it.each(cases)('has the expected orders on each page: %j', async (asked) => {
    const all = expected(asked)
    const pageSize = Math.min(Math.max(7, Math.ceil(all.length / 40)), 100)
    const last = Math.ceil(all.length / pageSize)
    for (const page of pagesOf(last)) {
      const { records, pagination } = await search({ ...asked, pageSize }, page)
      expect(ids(records)).toEqual(idsOfPage(all, page, pageSize))
      expect(pagination.hasNextPage).toBe(page < last)
      if (asked.q === undefined || page > last) expect(pagination.counted).toBe(true)
      if (pagination.counted) expect(pagination.totalRecords).toBe(all.length)
      else expect(pagination.totalRecords).toBeLessThanOrEqual(all.length)
    }
  })

  it.each(cases)('is sorted in each way: %j', async (asked) => {
    for (const ordina of ['meno-recenti', 'aggiornati', 'cliente'] as const) {
      const all = expected({ ...asked, ordina })
      for (const page of [1, Math.max(2, Math.ceil(all.length / 50))]) {
        const { records, pagination } = await search({ ...asked, ordina, pageSize: 50 }, page)
        expect(ids(records)).toEqual(idsOfPage(all, page, 50))
        expect(pagination).toMatchObject({
          counted: true,
          totalRecords: all.length,
          hasNextPage: page * 50 < all.length,
        })
      }
    }
  })

  it.each(cases)('is counted and selected: %j', async (asked) => {
    const all = expected(asked)
    const any = expected({ ...asked, stato: undefined, ritardo: undefined, ritiro: undefined })
    const of = (status: string) => any.filter((order) => order.status === status).length
    expect(await post('/api/orders/count', asked)).toEqual({
      total: all.length,
      all: any.length,
      counts: Object.fromEntries(OrderStatus.options.map((status) => [status, of(status)])),
      late: any.filter(isLate).length,
      toCollect: any.filter(isToCollect).length,
      overdue: any.filter(isOverdue).length,
    })
    expect(await post('/api/orders/selection', asked)).toEqual({
      orders: all.slice(0, 500).map(({ recordId, status }) => ({ recordId, status })),
      more: all.length > 500,
    })
  })
})

it('is of today where that is asked for', async () => {
  const { orders: some } = await post<{ orders: unknown }>('/api/orders/selection', {
    periodo: 'oggi',
    q: 'oki',
  })
  const today = expected({ dal: '2026-06-15', al: '2026-06-15' })
  expect(some).toEqual(today.map(({ recordId, status }) => ({ recordId, status })))
})

/** All orders are visible to all transactions, so that an index alone tells where they are. */
async function settle(): Promise<void> {
  await vi.waitFor(async () => {
    await server.database.pool.query('vacuum analyze pharmacy_orders')
    const { rows } = await server.database.pool.query(
      `select relpages - relallvisible as pages from pg_class where relname = 'pharmacy_orders'`,
    )
    expect(rows).toEqual([{ pages: 0 }])
  })
}

async function ordersRead(tx: Database): Promise<number> {
  const { rows } = await sql<{ orders: string }>`
    select seq_tup_read + idx_tup_fetch as orders from pg_stat_xact_user_tables
    where relname = 'pharmacy_orders'`.execute(tx)
  return Number(rows[0]?.orders)
}

it.each([
  ['all orders', undefined],
  ['orders of a status', ['Confermato']],
  ['orders of several statuses', ['In attesa', 'Annullato']],
] as const)('reads of %s those of the page alone, wherever it is', async (_name, wanted) => {
  const { db } = server.database
  await settle()
  const days = { from: null, to: null }
  const filter = {
    words: null,
    number: null,
    statuses: wanted,
    days,
    lateBefore: null,
    isToCollect: false,
    overdueOn: null,
  }
  const read = await db.transaction().execute(async (tx) => {
    const list = createOrderSearchStore(tx)
    const page = { filter, sort: 'recenti' as const, page: 40, pageSize: 20, few: true }
    const earlier = await ordersRead(tx)
    // From the sixth time on PostgreSQL may use a plan that does not depend on the parameters.
    for (let times = 0; times < 10; times += 1) await list.list(pharmacyId, page)
    return (await ordersRead(tx)) - earlier
  })
  expect(read).toBe(10 * 21)
})
