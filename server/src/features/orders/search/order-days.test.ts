import type { OrdersPage } from '@bancone/contract/orders'
import { beforeAll, describe, expect, it } from 'vitest'
import { sourceOrder } from '../../../../test/orders.ts'
import { type TestServer, testServer } from '../../../../test/server.ts'
import { noHooks } from '../records/order-hooks.ts'
import { createOrderCopyStore } from '../sync/order-copy.store.ts'

let server: TestServer
let headers: { authorization: string }
let now = 0

/** The first and the last moments of days in Rome, of nights in which the clocks were changed too. */
const moments = [
  '2026-03-28T22:59:59.999Z',
  '2026-03-28T23:00:00.000Z',
  '2026-03-29T21:59:59.999Z',
  '2026-03-29T22:00:00.000Z',
  '2026-10-24T21:59:59.999Z',
  '2026-10-24T22:00:00.000Z',
  '2026-10-25T22:59:59.999Z',
  '2026-10-25T23:00:00.000Z',
]
const orders = moments.map((createdAt) => sourceOrder({ createdAt, details: 'Tachipirina' }))

beforeAll(async () => {
  server = await testServer({ clock: { now: () => now } })
  const id = await server.addPharmacy({ email: 'days@example.it', code: 'PHARM-0001' })
  const copy = createOrderCopyStore(server.database.db, noHooks)
  await copy.saveOrders(id, orders, '2026-01-01T00:00:00.000Z')
  now = Date.now()
  headers = await server.signIn('days@example.it')
})

/** When the orders of these days were made, the oldest first; the same with words and without. */
async function madeIn(days: Record<string, string>): Promise<string[]> {
  const listed = await server.app.inject({ url: '/api/airtable-orders', headers, query: days })
  const found = await server.app.inject({
    method: 'POST',
    url: '/api/orders/search',
    headers,
    payload: { ...days, q: 'tachip' },
  })
  const [list, search] = [listed, found].map((reply) => {
    expect(reply.statusCode, reply.body).toBe(200)
    return reply.json<OrdersPage>().records.map(({ createdTime }) => createdTime)
  })
  expect(search).toEqual(list)
  return list?.reverse() ?? []
}

describe('the orders of a day in Rome', () => {
  it.each([
    ['2026-03-28', moments.slice(0, 1)],
    ['2026-03-29', moments.slice(1, 3)],
    ['2026-03-30', moments.slice(3, 4)],
    ['2026-10-24', moments.slice(4, 5)],
    ['2026-10-25', moments.slice(5, 7)],
    ['2026-10-26', moments.slice(7)],
  ])('are those between its midnights: %s', async (day, made) => {
    expect(await madeIn({ dal: day, al: day })).toEqual(made)
  })

  it('are counted from one to another, and without an end', async () => {
    expect(await madeIn({ dal: '2026-03-29', al: '2026-10-25' })).toEqual(moments.slice(1, 7))
    expect(await madeIn({ dal: '2026-10-25' })).toEqual(moments.slice(5))
    expect(await madeIn({ al: '2026-03-29' })).toEqual(moments.slice(0, 3))
    expect(await madeIn({ dal: '2026-10-26', al: '2026-03-28' })).toEqual([])
    expect(await madeIn({ dal: '0000-01-01', al: '9999-12-31' })).toEqual(moments)
  })

  it('are those of the clock: the month before the last hours of April', async () => {
    now = Date.parse('2026-04-30T21:00:00.000Z')
    // A session lives by the same clock.
    headers = await server.signIn('days@example.it')
    expect(await madeIn({ periodo: 'mese-scorso' })).toEqual(moments.slice(0, 4))
  })
})
