import { addDays, dayOf } from '@bancone/contract/dates'
import { changeOrderLine, changeOrdersPickup } from '@bancone/contract/order-pickup'
import { countOrders } from '@bancone/contract/order-search'
import { type OrderPickup, OrdersPage } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Caller, detailsOf } from '../../../../test/details-server.ts'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'

let server: TestServer
let pharmacyId: string
let counter: Caller
let order: SourceOrder
let places = 0

beforeAll(async () => {
  server = await testServer()
})

/** Each test has a pharmacy of its own, with one order. */
beforeEach(async () => {
  places += 1
  const email = `own${places}@example.it`
  pharmacyId = await server.addPharmacy({ email, code: `PHARM-000${places}` })
  counter = await server.signIn(email)
  order = sourceOrder({ details: 'Garze' })
  await save(order)
})

function save(...orders: SourceOrder[]) {
  const store = createOrderCopyStore(server.database.db, noHooks)
  return store.saveOrders(pharmacyId, orders, new Date().toISOString())
}

async function ask(
  method: 'POST' | 'PUT' | 'PATCH',
  url: string,
  payload: object,
): Promise<unknown> {
  const reply = await server.app.inject({ method, url, headers: counter, payload })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

async function change(to: OrderPickup, was?: OrderPickup, recordId = order.recordId) {
  const changes = [{ recordId, to, ...(was && { was }) }]
  return changeOrdersPickup.response.parse(await ask('POST', '/api/orders/pickup', { changes }))
}

async function page(query = ''): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: `/api/airtable-orders${query}`, headers: counter })
  return OrdersPage.parse(reply.json())
}

const count = async (filter: object) =>
  countOrders.response.parse(await ask('POST', '/api/orders/count', filter))

const setStatus = (Stato: string) =>
  ask('PATCH', `/api/airtable-orders/${order.recordId}`, { fields: { Stato } })

const readyBy = (readyStatus: string | null) =>
  ask('PUT', '/api/orders/pickup-settings', { readyStatus, overdueDays: 3 })

async function moments(): Promise<OrderPickup> {
  const record = (await page()).records.find(({ id }) => id === order.recordId)
  if (record?.collectedAt !== undefined) return 'collected'
  return record?.readyAt === undefined ? 'none' : 'ready'
}

describe('an order that is ready', () => {
  it('is to be collected until it is collected, and its status stays', async () => {
    expect(await change('ready')).toEqual({
      changed: [{ recordId: order.recordId, from: 'none', to: 'ready' }],
      left: [],
    })
    const ready = await page()
    expect(ready.statistics.toCollect).toBe(1)
    expect(ready.records[0]?.readyAt).toMatch(/^20\d\d-/)
    expect(ready.records[0]?.fields.Stato).toBe(order.status)
    await change('collected')
    const collected = await page()
    expect(collected.statistics.toCollect).toBe(0)
    expect(collected.records[0]).toMatchObject({ readyAt: ready.records[0]?.readyAt })
    expect(await moments()).toBe('collected')
  })

  it('is found by its filter, with days and with words', async () => {
    const other = sourceOrder({ details: 'Cerotti' })
    await save(other)
    await change('ready')
    for (const query of ['?ritiro=si', '?ritiro=si&ordina=aggiornati']) {
      const { records, pagination } = await page(query)
      expect([query, records.map(({ id }) => id), pagination.totalRecords]).toEqual([
        query,
        [order.recordId],
        1,
      ])
    }
    const search = (q: string) => ask('POST', '/api/orders/search', { q, ritiro: 'si', page: 1 })
    expect(OrdersPage.parse(await search('garze')).records).toHaveLength(1)
    expect(OrdersPage.parse(await search('cerotti')).records).toEqual([])
    expect(await count({ ritiro: 'si' })).toMatchObject({ total: 1, all: 2, toCollect: 1 })
    expect(await count({ q: 'garze' })).toMatchObject({ total: 1, toCollect: 1 })
    expect(await count({ q: 'cerotti', ritiro: 'si' })).toMatchObject({ total: 0, all: 1 })
  })

  it('is not to be collected once it is cancelled, and no more when it is removed', async () => {
    await change('ready')
    await setStatus('Annullato')
    expect((await page()).statistics.toCollect).toBe(0)
    await setStatus('Confermato')
    expect((await page()).statistics.toCollect).toBe(1)
    await server.database.pool.query('delete from pharmacy_orders where pharmacy_id = $1', [
      pharmacyId,
    ])
    expect((await page()).statistics.toCollect).toBe(0)
  })

  it('is taken back, and the history names who did what', async () => {
    await change('ready')
    await change('collected', 'ready')
    await change('ready', 'collected')
    await change('none', 'ready')
    expect(await moments()).toBe('none')
    const { history } = await detailsOf(server, order.recordId, counter)
    const steps = history.filter(({ kind }) => kind === 'pickup')
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      ['ready', 'none'],
      ['collected', 'ready'],
      ['ready', 'collected'],
      ['none', 'ready'],
    ])
    expect(steps[0]).toMatchObject({ source: 'person', who: { you: true, here: true } })
  })

  it('stays what another desk has made of it, and of an unknown order that is said', async () => {
    await change('collected')
    expect(await change('none', 'ready')).toEqual({
      changed: [],
      left: [{ recordId: order.recordId, now: 'collected' }],
    })
    expect(await moments()).toBe('collected')
    // What is so already is no conflict.
    expect((await change('collected', 'ready')).left).toEqual([])
    expect((await change('ready', undefined, 'recUNKNOWN')).left).toEqual([
      { recordId: 'recUNKNOWN', now: null },
    ])
  })

  it('is one of several that desks change at once, each of which happens once', async () => {
    const orders = Array.from({ length: 20 }, () => sourceOrder())
    await save(...orders)
    const ids = orders.map(({ recordId }) => recordId)
    const marks = (recordIds: string[]) =>
      ask('POST', '/api/orders/pickup', {
        changes: recordIds.map((recordId) => ({ recordId, to: 'ready', was: 'none' })),
      })
    await Promise.all([marks(ids), marks(ids.toReversed()), marks(ids)])
    expect((await page()).statistics.toCollect).toBe(20)
    const { rows } = await server.database.pool.query(
      "select count(*)::int as events from order_events where pharmacy_id = $1 and kind = 'pickup'",
      [pharmacyId],
    )
    expect(rows).toEqual([{ events: 20 }])
  })
})

describe('an order with several lines', () => {
  const OIL = 'Olio\nGarze\n\nCerotti'
  const put = (place: number, text: string, isThere = true, caller = counter) =>
    server.app.inject({
      method: 'PUT',
      url: `/api/orders/${order.recordId}/lines`,
      headers: caller,
      payload: { place, text, isThere },
    })
  const mark = async (...[place, text, isThere]: Parameters<typeof put>) =>
    changeOrderLine.response.parse(
      await ask('PUT', `/api/orders/${order.recordId}/lines`, {
        place,
        text,
        isThere: isThere ?? true,
      }),
    )
  const record = async () => (await detailsOf(server, order.recordId, counter)).order
  const partly = async () => (await record()).partly
  const edit = (details: string | null) => save({ ...order, details })

  beforeEach(() => edit(OIL))

  it('is partly there, as the list and its details say, and not to be collected', async () => {
    expect(await mark(0, 'Olio')).toEqual({ from: 'none', to: 'none' })
    await mark(3, 'Cerotti')
    await ask('PUT', `/api/orders/${order.recordId}/expected-on`, { day: '2026-11-30' })
    const listed = await page()
    const there = { partly: { there: [0, 3], total: 3 }, expectedOn: '2026-11-30' }
    expect(listed.records[0]).toMatchObject(there)
    expect(listed.records[0]).toEqual(await record())
    expect(listed.statistics.toCollect).toBe(0)
    await mark(0, 'Olio', false)
    await mark(3, 'Cerotti', false)
    expect(await partly()).toBeUndefined()
  })

  it('is ready with its last line, and goes back to what was there', async () => {
    await mark(0, 'Olio')
    await mark(1, 'Garze')
    expect(await mark(3, 'Cerotti')).toEqual({ from: 'none', to: 'ready' })
    expect(await partly()).toBeUndefined()
    expect((await page()).statistics.toCollect).toBe(1)
    await change('none', 'ready')
    expect(await partly()).toEqual({ there: [0, 1], total: 3 })
    await change('ready')
    expect(await mark(0, 'Olio', false)).toEqual({ from: 'ready', to: 'none' })
    expect(await partly()).toEqual({ there: [1, 3], total: 3 })
    const { history } = await detailsOf(server, order.recordId, counter)
    const steps = history.filter(({ kind, who }) => kind === 'pickup' && who?.here)
    expect(steps.map(({ to }) => to)).toEqual(['none', 'ready', 'none', 'ready'])
  })

  it('is ready once when two desks mark its last lines at once', async () => {
    await mark(0, 'Olio')
    const replies = await Promise.all([put(1, 'Garze'), put(3, 'Cerotti'), put(3, 'Cerotti')])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(await moments()).toBe('ready')
    const { history } = await detailsOf(server, order.recordId, counter)
    expect(history.filter(({ kind }) => kind === 'pickup')).toHaveLength(1)
  })

  it('is left as it is when its text has changed, or it has left', async () => {
    await edit('Olio\nAlcol\n\nCerotti')
    const refused = await put(1, 'Garze')
    expect(refused.statusCode).toBe(409)
    expect(refused.json()).toMatchObject({ code: 'orders.lines_changed' })
    expect((await put(2, '')).statusCode).toBe(409)
    expect(await partly()).toBeUndefined()
    await change('collected')
    expect((await put(0, 'Olio')).statusCode).toBe(409)
    expect(await moments()).toBe('collected')
  })

  it('keeps the marks of lines that move, and loses those of lines that are gone', async () => {
    await edit('Garze\nOlio\nGarze')
    await mark(1, 'Olio')
    await mark(2, 'Garze')
    await edit('Garze\r\nAlcol\r\n  Garze \r\nOlio')
    expect(await partly()).toEqual({ there: [2, 3], total: 4 })
    await edit('Alcol\nGarze')
    expect(await partly()).toBeUndefined()
  })

  it('keeps nothing of its lines when its text is deleted', async () => {
    await mark(1, 'Garze')
    await ask('PUT', `/api/orders/${order.recordId}/expected-on`, { day: '2026-11-30' })
    await edit(null)
    const { rows } = await server.database.pool.query(
      'select lines_there, expected_on from pharmacy_orders where pharmacy_id = $1',
      [pharmacyId],
    )
    expect(rows).toEqual([{ lines_there: null, expected_on: null }])
  })

  it('is not found by another pharmacy', async () => {
    await server.addPharmacy({ email: `other${places}@example.it`, code: `PHARM-100${places}` })
    const other = await server.signIn(`other${places}@example.it`)
    expect((await put(0, 'Olio', true, other)).statusCode).toBe(404)
    const expecting = await server.app.inject({
      method: 'PUT',
      url: `/api/orders/${order.recordId}/expected-on`,
      headers: other,
      payload: { day: '2026-11-30' },
    })
    expect(expecting.statusCode).toBe(404)
    expect(await record()).toEqual((await page()).records[0])
    expect([await partly(), (await record()).expectedOn]).toEqual([undefined, undefined])
  })
})

describe('a ready order whose customer does not come', () => {
  const readyAgo = (days: number) =>
    server.database.pool.query(
      'update pharmacy_orders set ready_at = now() - make_interval(days => $2) where pharmacy_id = $1',
      [pharmacyId, days],
    )
  const overdue = async () => {
    const { statistics } = await page()
    const found = await page('?ritiro=scaduti')
    expect([found.records.length, found.pagination.totalRecords]).toEqual([
      statistics.overdue,
      statistics.overdue,
    ])
    expect((await count({ ritiro: 'scaduti' })).total).toBe(statistics.overdue)
    return statistics.overdue
  }
  const keptUntil = (days: number) =>
    ask('PUT', `/api/orders/${order.recordId}/kept-until`, {
      until: addDays(dayOf(Date.now()), days),
    })

  it('is overdue after three days, or those that the owner chooses', async () => {
    await readyAgo(2)
    expect(await overdue()).toBe(0)
    await readyAgo(3)
    expect(await overdue()).toBe(1)
    await ask('PUT', '/api/orders/pickup-settings', { readyStatus: null, overdueDays: 7 })
    expect(await overdue()).toBe(0)
    await readyAgo(7)
    expect(await overdue()).toBe(1)
  })

  it('is kept until a day, put back and taken back, and is not overdue meanwhile', async () => {
    await readyAgo(10)
    await keptUntil(0)
    expect(await overdue()).toBe(0)
    await keptUntil(-1)
    expect(await overdue()).toBe(1)
    await change('put_back', 'ready')
    const putBack = await page()
    expect([putBack.statistics.toCollect, putBack.statistics.overdue]).toEqual([0, 0])
    expect(putBack.records[0]?.putBackAt).toMatch(/^20/)
    await change('ready', 'put_back')
    expect(await overdue()).toBe(1)
    await change('collected')
    expect(await overdue()).toBe(0)
  })
})

describe('a status that makes ready', () => {
  it('does so here and in Airtable, and not by itself', async () => {
    await setStatus('Confermato')
    expect(await moments()).toBe('none')
    await setStatus('In attesa')
    await readyBy('Confermato')
    await setStatus('Confermato')
    expect(await moments()).toBe('ready')
    await save({
      ...order,
      status: 'In attesa',
      updatedAt: new Date(Date.now() + 60_000).toISOString(),
    })
    expect(await moments()).toBe('none')
  })

  it('makes nothing of an order that is collected, or that comes in with it', async () => {
    await readyBy('Confermato')
    await save(sourceOrder({ status: 'Confermato' }))
    expect((await page()).statistics.toCollect).toBe(0)
    await change('collected')
    await setStatus('Confermato')
    await setStatus('In attesa')
    expect(await moments()).toBe('collected')
  })

  it('is none again when the owner says so', async () => {
    await readyBy('Confermato')
    expect(await readyBy(null)).toEqual({ readyStatus: null, overdueDays: 3 })
    await setStatus('Confermato')
    expect(await moments()).toBe('none')
  })
})
