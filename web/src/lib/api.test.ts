import { listOrders, type OrdersQuery } from '@bancone/contract/orders'
import { expect, test } from 'vitest'
import { orders, pageOf, sessionOf } from '../../test/fixtures.ts'
import { serverWith, storeSession } from '../../test/render-app.tsx'
import { failure, rawReply } from '../../test/stub-api.ts'
import { call } from './api.ts'

const query: OrdersQuery = { page: 2, pageSize: 10, stato: ['In attesa'] }

test('without a session no order call is made', async () => {
  const api = serverWith([])
  api.install()
  await expect(call(listOrders, { query })).rejects.toThrow('No active session')
  expect(api.requests).toEqual([])
})

test('the address comes from the endpoint, the bearer from the session', async () => {
  const api = serverWith(orders(30))
  api.install()
  storeSession()
  await expect(call(listOrders, { query })).resolves.toEqual(pageOf(orders(30), query))
  expect(api.requests).toMatchObject([
    {
      method: 'GET',
      path: '/api/airtable-orders?page=2&pageSize=10&stato=In+attesa',
      bearer: `Bearer ${sessionOf().access_token}`,
    },
  ])
})

test('an error carries the text and the code of the answer', async () => {
  const api = serverWith([]).on(listOrders, () => failure('service.unavailable', 'Riprova'))
  api.install()
  storeSession()
  const expected = { status: 503, code: 'service.unavailable', message: 'Riprova' }
  await expect(call(listOrders, { query })).rejects.toMatchObject(expected)
})

test.each([
  ['<html>', 502, 'API error: 502'],
  ['{"error":"Troppo presto"}', 425, 'Troppo presto'],
])('the answer %s with status %i is the error %s', async (body, status, message) => {
  const api = serverWith([]).on(listOrders, () => rawReply(body, status))
  api.install()
  storeSession()
  await expect(call(listOrders, { query })).rejects.toMatchObject({ status, code: null, message })
})

test('an answer that is not what was agreed is an error', async () => {
  const api = serverWith([]).on(listOrders, () => rawReply('{"records":[]}', 200))
  api.install()
  storeSession()
  await expect(call(listOrders, { query })).rejects.toMatchObject({ name: 'ApiError' })
})
