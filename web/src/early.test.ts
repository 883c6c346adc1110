import { listOrders } from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { beforeEach, expect, test, vi } from 'vitest'
import { orders, sessionOf } from '../test/fixtures.ts'
import { serverWith } from '../test/render-app.tsx'
import { failure, type StubApi } from '../test/stub-api.ts'
import { askEarly } from './early.ts'
import { call } from './lib/api.ts'
import { storageKeys } from './lib/storage-keys.ts'
import { tokenClaims } from './lib/stored-session.ts'

const FIRST_PAGE = { page: 1, pageSize: 20 }
const keys = storageKeys.pharmacy

let api: StubApi
beforeEach(() => {
  api = serverWith(orders(30))
  api.install()
  delete window.earlyAnswers
  window.history.replaceState(null, '', '/')
})

function store(session: unknown) {
  localStorage.setItem(keys.session, JSON.stringify(session))
}

const asked = () => api.requests.map(({ path }) => path)

test('the application takes the answers, each once, and asks anew afterwards', async () => {
  store(sessionOf())
  askEarly()
  const both = ['/api/airtable-orders?page=1&pageSize=20', '/api/pharmacy']
  expect(asked()).toEqual(both)
  expect(api.requests[0]?.bearer).toBe(`Bearer ${sessionOf().access_token}`)
  const page = await call(listOrders, { query: FIRST_PAGE })
  expect(page.records).toHaveLength(20)
  await call(getOwnPharmacy, {})
  expect(asked()).toEqual(both)
  await call(listOrders, { query: FIRST_PAGE })
  expect(asked()).toEqual([...both, both[0]])
})

test('another page of the list is asked for', async () => {
  store(sessionOf())
  askEarly()
  await call(listOrders, { query: { ...FIRST_PAGE, page: 2 } })
  expect(asked()).toContain('/api/airtable-orders?page=2&pageSize=20')
})

test('answers for another session are not taken', async () => {
  store(sessionOf())
  askEarly()
  store(sessionOf('0b0a3f5e-6d0c-4d43-8d6e-9a3c8a1c7b11'))
  await call(listOrders, { query: FIRST_PAGE })
  expect(asked().filter((path) => path.includes('orders'))).toHaveLength(2)
})

test('answers that are not taken within 10 seconds are dropped', () => {
  vi.useFakeTimers()
  store(sessionOf())
  askEarly()
  expect(window.earlyAnswers).toBeDefined()
  vi.advanceTimersByTime(10_000)
  expect(window.earlyAnswers).toBeUndefined()
})

test('a refusal is one of the call that takes it', async () => {
  api.on(listOrders, () => failure('service.unavailable', 'Riprova'))
  store(sessionOf())
  askEarly()
  const refusal = { status: 503, code: 'service.unavailable' }
  await expect(call(listOrders, { query: FIRST_PAGE })).rejects.toMatchObject(refusal)
  expect(asked()).toHaveLength(2)
})

test.each([
  ['without a session', null, '/'],
  ['with something else in the storage', 'not a session', '/'],
  ['with a token that expires within 90 seconds', sessionOf(undefined, { lasts: 80 }), '/'],
  ['with a session without its second factor', sessionOf(undefined, { apps: ['Telefono'] }), '/'],
  ['on another page', sessionOf(), '/offers'],
  ['on a filtered list', sessionOf(), '/?stato=Confermato'],
])('nothing is asked %s', (_when, session, address) => {
  if (session !== null) store(session)
  window.history.replaceState(null, '', address)
  askEarly()
  expect(api.requests).toEqual([])
})

test('nothing is asked with a session that was signed out', () => {
  const session = sessionOf()
  store(session)
  localStorage.setItem(keys.signedOut, tokenClaims(session.access_token).session_id ?? '')
  askEarly()
  expect(api.requests).toEqual([])
})
