import { OrdersQuery } from '@bancone/contract/orders'
import { act, renderHook, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { authError } from '../../../../test/auth-error.ts'
import { FakeWorker } from '../../../../test/fake-worker.ts'
import { orders, pageOf, sessionOf, userId } from '../../../../test/fixtures.ts'
import { storeSession } from '../../../../test/render-app.tsx'
import { signedIn } from '../../../../test/render-part.tsx'
import { StubApi } from '../../../../test/stub-api.ts'
import { useOrderWorker } from './freshness.ts'

const page = pageOf(orders(2), OrdersQuery.parse({}))

async function begin(refresh = () => authError(400, 'refresh_token_not_found')) {
  FakeWorker.install()
  signedIn(new StubApi().auth('POST', '/token', refresh))
  const onOrders = vi.fn<(answer: unknown) => void>()
  const onFailure = vi.fn<(status: number) => void>()
  const hook = renderHook(
    (props) => useOrderWorker({ pharmacyId: userId, onOrders, onFailure, ...props }),
    {
      initialProps: { enabled: true },
    },
  )
  await waitFor(() => expect(FakeWorker.started[0]?.posted).toHaveLength(1))
  const worker = FakeWorker.started[0]
  return { ...hook, worker, onOrders, onFailure }
}

test('it is started with what it needs, and stopped on leaving', async () => {
  const { worker, result, unmount } = await begin()
  expect(result.current).toBe(true)
  expect(worker?.script).toBe('/orderCheckWorker.js')
  expect(worker?.posted).toEqual([
    {
      apiUrl: '/api/airtable-orders',
      pharmacyId: userId,
      token: sessionOf().access_token,
      interval: 60_000,
    },
  ])
  expect(worker?.terminated).toBe(false)
  unmount()
  expect(worker?.terminated).toBe(true)
})

test('switched off it stops, switched on it starts anew', async () => {
  const { worker, result, rerender } = await begin()
  rerender({ enabled: false })
  expect(worker?.terminated).toBe(true)
  expect(result.current).toBe(false)
  rerender({ enabled: true })
  await waitFor(() => expect(FakeWorker.started).toHaveLength(2))
})

test('the orders of this pharmacy are handed on, and no other message', async () => {
  const { worker, onOrders } = await begin()
  worker?.say({ type: 'ORDERS_FETCHED', pharmacyId: 'another', data: page })
  worker?.say({ type: 'ORDERS', pharmacyId: userId, data: page })
  expect(onOrders).not.toHaveBeenCalled()
  worker?.say({ type: 'ORDERS_FETCHED', pharmacyId: userId, data: page })
  expect(onOrders.mock.calls).toEqual([[page]])
})

test('a token that was renewed meanwhile is handed to it for the next look', async () => {
  const { worker } = await begin()
  const newer = sessionOf(userId, { lasts: 7200 })
  storeSession('pharmacy', newer)
  worker?.say({ type: 'ORDERS_FETCHED', pharmacyId: userId, data: page })
  const message = { type: 'token', token: newer.access_token }
  await waitFor(() => expect(worker?.posted.at(-1)).toEqual(message))
  worker?.say({ type: 'ORDERS_FETCHED', pharmacyId: userId, data: page })
  await new Promise((resolve) => setTimeout(resolve, 0))
  expect(worker?.posted).toHaveLength(2)
})

test('a refused token is renewed', async () => {
  const newer = sessionOf(userId, { lasts: 7200 })
  const { worker } = await begin(() => Response.json(newer))
  worker?.say({ type: 'TOKEN_NEEDED', pharmacyId: userId })
  const message = { type: 'token', token: newer.access_token }
  await waitFor(() => expect(worker?.posted.at(-1)).toEqual(message))
})

test('a failure is handed on with its status', async () => {
  const { worker, onFailure } = await begin()
  worker?.say({ type: 'FETCH_FAILED', pharmacyId: userId, status: 503 })
  expect(onFailure.mock.calls).toEqual([[503]])
})

test('one that breaks is given up: the page must look by itself', async () => {
  const { worker, result } = await begin()
  act(() => void worker?.dispatchEvent(new Event('error')))
  expect(result.current).toBe(false)
  expect(worker?.terminated).toBe(true)
})

test('where the browser starts none, the page must look by itself', async () => {
  vi.stubGlobal('Worker', () => {
    throw new DOMException('refused', 'SecurityError')
  })
  const { result } = renderHook(() =>
    useOrderWorker({
      pharmacyId: userId,
      enabled: true,
      onOrders: () => undefined,
      onFailure: () => undefined,
    }),
  )
  await waitFor(() => expect(result.current).toBe(false))
})
