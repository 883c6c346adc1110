import type { OrdersPage, Unseen } from '@bancone/contract/orders'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sourceOrder } from '../../../test/orders.ts'
import { type TestServer, testServer } from '../../../test/server.ts'
import { createOrderCopyStore } from './copy/order-copy.store.ts'

let server: TestServer
let own: { authorization: string }
let other: { authorization: string }
let ownId: string
const orders = Array.from({ length: 120 }, () => sourceOrder())
const ids = orders.map(({ recordId }) => recordId)

beforeAll(async () => {
  server = await testServer()
  ownId = await server.addPharmacy({ email: 'own@example.it', code: 'PHARM-0001' })
  await server.addPharmacy({ email: 'other@example.it', code: 'PHARM-0002' })
  await createOrderCopyStore(server.database.db).saveOrders(
    ownId,
    orders,
    '2026-01-01T00:00:00.000Z',
  )
  own = await server.signIn('own@example.it')
  other = await server.signIn('other@example.it')
})

beforeEach(async () => {
  await server.database.pool.query(
    'update pharmacy_orders set seen_at = now() where seen_at is null',
  )
})

async function arrive(...recordIds: string[]) {
  await server.database.pool.query(
    'update pharmacy_orders set seen_at = null where airtable_order_id = any($1)',
    [recordIds],
  )
}

async function page(query = ''): Promise<OrdersPage> {
  const reply = await server.app.inject({ url: `/api/airtable-orders${query}`, headers: own })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

async function see(recordIds: string[], headers = own): Promise<Unseen> {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/orders/seen',
    headers,
    payload: { recordIds },
  })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}

describe('what nobody has seen', () => {
  it('is told with every page, whatever its filter, the newest first', async () => {
    expect((await page()).unseen).toEqual({ count: 0, recordIds: [] })
    const [one = '', two = ''] = ids
    await arrive(one, two)
    for (const query of ['', '?page=3', '?stato=Annullato']) {
      expect((await page(query)).unseen).toEqual({ count: 2, recordIds: [two, one] })
    }
    const { records } = await page('?pageSize=100&page=2')
    expect(records.filter(({ seen }) => !seen).map(({ id }) => id)).toEqual([two, one])
  })

  it('is named up to a hundred', async () => {
    await arrive(...ids)
    const { unseen } = await page()
    expect(unseen.count).toBe(120)
    expect(unseen.recordIds).toEqual(ids.toReversed().slice(0, 100))
  })

  it('is less by what somebody has seen, and only by that', async () => {
    const [one = '', two = '', three = ''] = ids
    await arrive(one, two, three)
    expect(await see([one, three, 'recUNKNOWN'])).toEqual({ count: 1, recordIds: [two] })
    expect((await page()).unseen).toEqual({ count: 1, recordIds: [two] })
  })

  it('stays as it is when another pharmacy says so', async () => {
    const [one = ''] = ids
    await arrive(one)
    expect(await see([one], other)).toEqual({ count: 0, recordIds: [] })
    expect((await page()).unseen.count).toBe(1)
  })

  it('is seen when its status is changed', async () => {
    const [one = ''] = ids
    await arrive(one)
    const reply = await server.app.inject({
      method: 'PATCH',
      url: `/api/airtable-orders/${one}`,
      headers: own,
      payload: { fields: { Stato: 'Confermato' } },
    })
    expect(reply.json()).toMatchObject({ id: one, seen: true })
    expect((await page()).unseen.count).toBe(0)
  })

  it('is counted as it goes', async () => {
    const [one = '', two = ''] = ids
    await arrive(one, two)
    await server.database.pool.query('delete from pharmacy_orders where airtable_order_id = $1', [
      one,
    ])
    expect((await page()).unseen).toEqual({ count: 1, recordIds: [two] })
  })

  it.each([{ recordIds: [] }, { recordIds: Array(101).fill('recA') }, { recordIds: ['x'] }, {}])(
    'is not said in a way that is none: %#',
    async (payload) => {
      const reply = await server.app.inject({
        method: 'POST',
        url: '/api/orders/seen',
        headers: own,
        payload,
      })
      expect(reply.statusCode).toBe(400)
    },
  )
})
