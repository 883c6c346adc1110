import type { OrdersPage, UnseenOrders } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'

let server: TestServer
let garibaldi: { authorization: string }
let garibaldiId: string

const long = '2026-01-01T00:00:00.000Z'
const statuses = [
  ...Array.from({ length: 12 }, () => 'In attesa'),
  ...Array.from({ length: 6 }, () => 'Confermato'),
  ...Array.from({ length: 3 }, () => 'Prenotato in Giornata'),
  ...Array.from({ length: 2 }, () => 'Prenotato Domani'),
  'Annullato',
  'Da richiamare',
]
const orders = statuses.map((status) => sourceOrder({ status }))

beforeAll(async () => {
  server = await testServer()
  garibaldiId = await server.addPharmacy({ email: 'garibaldi@example.it', code: 'PHARM-0002' })
  const otherId = await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0003' })
  const copy = createOrderCopyStore(server.database.db, noHooks)
  await copy.saveOrders(garibaldiId, orders, long)
  await copy.saveOrders(otherId, [sourceOrder({ recordId: 'recOTHER000000001' })], long)
  garibaldi = await server.signIn('garibaldi@example.it')
})

async function list(query = '', headers = garibaldi): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: `/api/airtable-orders${query}`, headers })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

function patch(recordId: string, payload: object) {
  const url = `/api/airtable-orders/${recordId}`
  return server.app.inject({ method: 'PATCH', url, headers: garibaldi, payload })
}

const statusOf = async (recordId: string) =>
  (await list('?pageSize=100')).records.find((record) => record.id === recordId)?.fields.Stato

describe('the list of orders', () => {
  it('gives twenty, newest first, with the columns of the order store', async () => {
    const page = await list()
    expect(page.records).toHaveLength(20)
    const newest = orders.at(-1)
    expect(page.records[0]).toEqual({
      id: newest?.recordId,
      createdTime: newest?.createdAt,
      fields: {
        'ID Ordine': Number(newest?.orderNumber),
        Cliente: 'Giulia Bianchi',
        Stato: 'Da richiamare',
        'Phone Number': '333 123 4567',
        Indirizzo: 'Via Roma 1, Venezia',
        Created: newest?.createdAt,
        Last: newest?.createdAt,
        Ordine: 'Tachipirina 1000',
      },
      seen: false,
    })
    expect(page.freshness).toMatchObject({ source: 'database', stale: false })
  })

  it('counts all orders of the pharmacy, not those of the page', async () => {
    const page = await list('?page=2&pageSize=10')
    expect(page.statistics).toEqual({
      total: 25,
      confirmed: 6,
      pending: 12,
      processing: 5,
      cancelled: 1,
      late: 12,
      toCollect: 0,
      overdue: 0,
      lastOrderId: Number(orders.at(-1)?.orderNumber),
    })
    expect(page.pagination).toEqual({
      counted: true,
      currentPage: 2,
      totalPages: 3,
      totalRecords: 25,
      hasNextPage: true,
    })
  })

  it.each(['pageSize=0', 'pageSize=101', 'page=0', 'page=x', 'page=1.5', 'stato=Perso'])(
    'refuses ?%s',
    async (query) => {
      const reply = await server.app.inject({
        url: `/api/airtable-orders?${query}`,
        headers: garibaldi,
      })
      expect(reply.statusCode).toBe(400)
      expect(reply.json()).toMatchObject({
        code: 'request.invalid',
        error: 'La richiesta non è valida. Ricarica la pagina e riprova.',
      })
    },
  )

  it('must not be kept by anything between', async () => {
    const reply = await server.app.inject({ url: '/api/airtable-orders', headers: garibaldi })
    expect(reply.headers['cache-control']).toBe('no-store')
  })
})

describe('changing a status', () => {
  it('answers with the changed order and moves the counts', async () => {
    const before = (await list()).statistics
    const recordId = orders[0]?.recordId ?? ''
    const reply = await patch(recordId, { fields: { Stato: 'Prenotato Domani' } })
    expect(reply.statusCode).toBe(200)
    expect(reply.json()).toMatchObject({ id: recordId, fields: { Stato: 'Prenotato Domani' } })
    expect((await list()).statistics).toEqual({
      ...before,
      pending: before.pending - 1,
      late: before.late - 1,
      processing: before.processing + 1,
    })
  })

  it.each([
    ['an unknown status', { fields: { Stato: 'Spedito' } }],
    ['an empty status', { fields: { Stato: '' } }],
    ['no status', { fields: {} }],
    ['another field beside it', { fields: { Stato: 'Annullato', Cliente: 'X' } }],
    ['something beside the fields', { fields: { Stato: 'Annullato' }, typecast: true }],
    ['no fields', {}],
  ])('refuses %s and changes nothing', async (_what, payload) => {
    const recordId = orders[1]?.recordId ?? ''
    const reply = await patch(recordId, payload)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ code: 'request.invalid' })
    expect(await statusOf(recordId)).toBe('In attesa')
  })

  it('does not find what is not there', async () => {
    const reply = await patch('recNOWHERE0000000', { fields: { Stato: 'Annullato' } })
    expect(reply.statusCode).toBe(404)
  })
})

describe('the kept counts', () => {
  it('agree with the orders after inserting, changing and deleting', async () => {
    const { db, pool } = server.database
    const copy = createOrderCopyStore(db, noHooks)
    const late = sourceOrder({ recordId: orders[3]?.recordId ?? '', orderNumber: '9000000' })
    await copy.saveOrders(garibaldiId, [late, sourceOrder({ status: 'Annullato' })], long)
    expect((await list()).statistics.lastOrderId).toBe(9_000_000)
    await pool.query('delete from pharmacy_orders where order_number = $1', ['9000000'])
    await pool.query(
      `update pharmacy_orders set ready_at = now(), collected_at = case when order_seq % 3 = 0 then now() end
       where pharmacy_id = $1 and order_seq % 2 = 0`,
      [garibaldiId],
    )

    const { rows } = await pool.query(
      `select count(*)::int as total,
        count(*) filter (where status = 'Confermato')::int as confirmed,
        count(*) filter (where status = 'In attesa')::int as pending,
        count(*) filter (where status like 'Prenotato%')::int as processing,
        count(*) filter (where status = 'Annullato')::int as cancelled,
        count(*) filter (where status = 'In attesa'
          and airtable_created < now() - interval '2 hours')::int as late,
        count(*) filter (where ready_at is not null and collected_at is null
          and status <> 'Annullato')::int as "toCollect",
        0 as overdue,
        max(order_seq)::int as "lastOrderId"
      from pharmacy_orders where pharmacy_id = $1`,
      [garibaldiId],
    )
    expect((await list()).statistics).toEqual(rows[0])
  })

  it('need not follow an order to another pharmacy: it cannot be moved', async () => {
    const { pool } = server.database
    const before = (await list()).statistics
    await expect(
      pool.query(
        `update pharmacy_orders set pharmacy_id =
          (select id from pharmacies where pharmacy_id = 'PHARM-0003') where pharmacy_id = $1`,
        [garibaldiId],
      ),
    ).rejects.toThrow('cannot be moved')
    expect((await list()).statistics).toEqual(before)
  })
})

async function arrive(...recordIds: string[]) {
  await server.database.pool.query(
    'update pharmacy_orders set seen_at = null where airtable_order_id = any($1)',
    [recordIds],
  )
}

async function see(recordIds: string[], headers = garibaldi): Promise<UnseenOrders> {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/orders/seen',
    headers,
    payload: { recordIds },
  })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

describe('the count of unseen orders', () => {
  const unseen = Array.from({ length: 120 }, () => sourceOrder())
  const ids = unseen.map(({ recordId }) => recordId)

  beforeAll(() =>
    createOrderCopyStore(server.database.db, noHooks).saveOrders(garibaldiId, unseen, long),
  )

  beforeEach(async () => {
    await server.database.pool.query('update pharmacy_orders set seen_at = now()')
  })

  it('is told with every page, whatever its filter, the newest first', async () => {
    expect((await list()).unseen).toEqual({ count: 0, recordIds: [] })
    const [one = '', two = ''] = ids
    await arrive(one, two)
    for (const query of ['', '?page=3', '?stato=Annullato']) {
      expect((await list(query)).unseen).toEqual({ count: 2, recordIds: [two, one] })
    }
    const { records } = await list('?pageSize=100&page=2')
    expect(records.filter(({ seen }) => !seen).map(({ id }) => id)).toEqual([two, one])
  })

  it('is named up to a hundred', async () => {
    await arrive(...ids)
    const recordIds = ids.toReversed().slice(0, 100)
    expect((await list()).unseen).toEqual({ count: 120, recordIds })
  })

  it('is less by the orders that were seen, and only by those', async () => {
    const [one = '', two = '', three = ''] = ids
    await arrive(one, two, three)
    expect(await see([one, three, 'recUNKNOWN'])).toEqual({ count: 1, recordIds: [two] })
    expect((await list()).unseen).toEqual({ count: 1, recordIds: [two] })
  })

  it('is counted as it goes', async () => {
    const [one = '', two = ''] = ids
    await arrive(one, two)
    await server.database.pool.query('delete from pharmacy_orders where airtable_order_id = $1', [
      one,
    ])
    expect((await list()).unseen).toEqual({ count: 1, recordIds: [two] })
  })

  it.each([{ recordIds: [] }, { recordIds: Array(101).fill('recA') }, { recordIds: ['x'] }, {}])(
    'is not said in a way that is none: %#',
    async (payload) => {
      const reply = await server.app.inject({
        method: 'POST',
        url: '/api/orders/seen',
        headers: garibaldi,
        payload,
      })
      expect(reply.statusCode).toBe(400)
    },
  )
})
