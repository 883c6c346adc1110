import { beforeEach, expect, test, vi } from 'vitest'
import { runPublicScript } from '../../../test/public-script.ts'
import { deferred } from '../../../test/stub-api.ts'

const start = {
  apiUrl: '/api/airtable-orders',
  pharmacyId: 'one',
  token: 'first',
  interval: 60_000,
}

/** The worker's script with a page on one side and a server on the other. */
function worker(answer: (token: string | null) => Response | Promise<Response>) {
  const self = new EventTarget()
  const posted: unknown[] = []
  const asked: { url: string; token: string | null }[] = []
  const fetch = async (url: string, { headers, signal }: RequestInit) => {
    const token = new Headers(headers).get('authorization')
    asked.push({ url, token })
    const cut = new Promise<never>((_, reject) => {
      signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
    })
    return Promise.race([answer(token), cut])
  }
  const { setInterval, clearInterval, setTimeout, clearTimeout } = globalThis
  const timers = { setInterval, clearInterval, setTimeout, clearTimeout }
  Object.assign(self, { postMessage: (message: unknown) => posted.push(message) })
  runPublicScript('orderCheckWorker.js', { self, fetch, AbortController, ...timers })
  return {
    posted,
    asked,
    send: (data: unknown) => self.dispatchEvent(new MessageEvent('message', { data })),
  }
}

const minute = () => vi.advanceTimersByTimeAsync(60_000)
const orders = () => Response.json({ records: [] })

beforeEach(() => {
  vi.useFakeTimers()
})

test('it reads the first page of orders every interval, and not before', async () => {
  const { posted, asked, send } = worker(orders)
  send(start)
  await vi.advanceTimersByTimeAsync(59_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(asked).toEqual([{ url: '/api/airtable-orders?page=1&pageSize=20', token: 'Bearer first' }])
  expect(posted).toEqual([{ type: 'ORDERS_FETCHED', pharmacyId: 'one', data: { records: [] } }])
  await minute()
  expect(posted).toHaveLength(2)
})

test('a new token is used from the next reading on', async () => {
  const { asked, send } = worker(orders)
  send(start)
  send({ type: 'token', token: 'second' })
  expect(asked).toEqual([])
  await minute()
  expect(asked.map(({ token }) => token)).toEqual(['Bearer second'])
})

test('a refused token is not sent again: it asks for another, and goes on at once with it', async () => {
  const { posted, asked, send } = worker((token) =>
    token === 'Bearer second' ? orders() : new Response(null, { status: 401 }),
  )
  send(start)
  await minute()
  await minute()
  const needed = { type: 'TOKEN_NEEDED', pharmacyId: 'one' }
  expect(posted).toEqual([needed, needed])
  expect(asked).toHaveLength(1)
  send({ type: 'token', token: 'second' })
  await vi.advanceTimersByTimeAsync(0)
  expect(posted.at(-1)).toMatchObject({ type: 'ORDERS_FETCHED' })
  await minute()
  expect(asked).toHaveLength(3)
})

test('a token that comes while the former is being refused is tried at once', async () => {
  const refusal = deferred<Response>()
  const { posted, send } = worker((token) =>
    token === 'Bearer first' ? refusal.promise : orders(),
  )
  send(start)
  await minute()
  send({ type: 'token', token: 'second' })
  refusal.resolve(new Response(null, { status: 401 }))
  await vi.advanceTimersByTimeAsync(0)
  expect(posted).toMatchObject([{ type: 'ORDERS_FETCHED' }])
})

test.each([
  ['the status of an error', () => new Response('busy', { status: 503 }), 503],
  ['0 when the server is not reached', () => Promise.reject(new TypeError('fetch failed')), 0],
  ['0 for an answer that is no JSON', () => new Response('<html>'), 0],
])(
  'a failure is told with %s, and the next reading is made all the same',
  async (_, answer, status) => {
    const { posted, asked, send } = worker(answer)
    send(start)
    await minute()
    expect(posted).toEqual([{ type: 'FETCH_FAILED', pharmacyId: 'one', status }])
    await minute()
    expect(asked).toHaveLength(2)
  },
)

test('it waits 15 seconds for an answer, and never asks twice at a time', async () => {
  const { posted, asked, send } = worker(() => new Promise(() => undefined))
  send({ ...start, interval: 4_000 })
  await vi.advanceTimersByTimeAsync(18_900)
  expect(asked).toHaveLength(1)
  expect(posted).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(posted).toEqual([{ type: 'FETCH_FAILED', pharmacyId: 'one', status: 0 }])
})

test('a response for the pharmacy before a change of account is dropped', async () => {
  const slow = deferred<Response>()
  const { posted, send } = worker((token) => (token === 'Bearer first' ? slow.promise : orders()))
  send(start)
  await minute()
  send({ ...start, pharmacyId: 'two', token: 'other' })
  slow.resolve(orders())
  await vi.advanceTimersByTimeAsync(0)
  expect(posted).toEqual([])
  await minute()
  expect(posted).toMatchObject([{ type: 'ORDERS_FETCHED', pharmacyId: 'two' }])
})

test('stopped, it asks no more and says nothing', async () => {
  const slow = deferred<Response>()
  const { posted, asked, send } = worker(() => slow.promise)
  send(start)
  await minute()
  send({ type: 'stop' })
  slow.resolve(orders())
  send({ type: 'token', token: 'second' })
  await minute()
  expect(asked).toHaveLength(1)
  expect(posted).toEqual([])
})
