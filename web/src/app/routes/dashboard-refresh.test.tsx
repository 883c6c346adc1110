import { listOrders } from '@bancone/contract/orders'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { FakeWorker } from '../../../test/fake-worker.ts'
import { newOrder, orders, pageOf, userId } from '../../../test/fixtures.ts'
import { serverWith } from '../../../test/render-app.tsx'
import { renderDashboard } from '../../../test/render-page.tsx'
import { failure, type StubApi } from '../../../test/stub-api.ts'
import { FIRST_PAGE } from '../../features/orders/data/orders-cache.ts'

const reads = (api: StubApi) =>
  api.requests.filter(({ path }) => path.startsWith('/api/airtable-orders')).length

async function open() {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const api = serverWith(orders(2))
  renderDashboard('/', api)
  await screen.findByText('Cliente 2')
  expect(reads(api)).toBe(1)
  return api
}

/** Sends a message of the worker, which the page starts in an idle moment after its first rows. */
async function workerSays(message: object) {
  await waitFor(() => expect(FakeWorker.started).toHaveLength(1))
  FakeWorker.started[0]?.say(message)
}

test('the page is read again every 60 seconds, without a word when nothing is new, until that is switched off', async () => {
  const api = await open()
  await act(() => vi.advanceTimersByTimeAsync(58_000))
  expect(reads(api)).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(reads(api)).toBe(2)
  expect(screen.queryByText(/^Hai /)).toBeNull()
  api.on(listOrders, ({ query }) => pageOf([newOrder(4), newOrder(3), ...orders(2)], query))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(await screen.findAllByText('Hai 2 nuovi ordini')).not.toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Auto-aggiornamento attivo' }))
  await act(() => vi.advanceTimersByTimeAsync(180_000))
  expect(reads(api)).toBe(3)
})

test('a page that becomes visible again is read at once', async () => {
  const api = await open()
  fireEvent(window, new Event('visibilitychange'))
  await waitFor(() => expect(reads(api)).toBe(2))
})

test('where the worker reads, the page does not, and shows what the worker has read', async () => {
  FakeWorker.install()
  const api = await open()
  await act(() => vi.advanceTimersByTimeAsync(180_000))
  expect(reads(api)).toBe(1)
  const data = pageOf([newOrder(3), ...orders(2)], FIRST_PAGE)
  await workerSays({ type: 'ORDERS_FETCHED', pharmacyId: userId, data })
  expect(await screen.findByText('Cliente 3')).toBeDefined()
  expect(reads(api)).toBe(1)
})

test('what the worker has read makes another page be read again', async () => {
  FakeWorker.install()
  const api = serverWith(orders(3))
  renderDashboard('/?page=2&pageSize=2', api)
  await screen.findByText('Cliente 1')
  await waitFor(() => expect(reads(api)).toBe(2))
  api.on(listOrders, ({ query }) => pageOf([newOrder(4), ...orders(3)], query))
  const data = pageOf([newOrder(4), ...orders(3)], FIRST_PAGE)
  await workerSays({ type: 'ORDERS_FETCHED', pharmacyId: userId, data })
  expect(await screen.findByText('Cliente 2')).toBeDefined()
  expect((await screen.findAllByText('Hai 1 nuovo ordine')).length).toBeGreaterThan(0)
})

test('when the worker cannot read, the page tries, and says so', async () => {
  FakeWorker.install()
  const api = await open()
  api.on(listOrders, () => failure('internal'))
  await workerSays({ type: 'FETCH_FAILED', pharmacyId: userId, status: 500 })
  expect((await screen.findByRole('alert')).textContent).toContain(
    "Si è verificato un errore nell'aggiornamento degli ordini. Riprova più tardi.",
  )
})
