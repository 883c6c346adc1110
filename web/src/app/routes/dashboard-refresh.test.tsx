import { listOrders } from '@bancone/contract/orders'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { orders, pageOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import type { StubApi } from '../../../test/stub-api.ts'

const reads = (api: StubApi) =>
  api.requests.filter(({ path }) => path.startsWith('/api/airtable-orders')).length

async function open() {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const api = serverWith(orders(2))
  renderApp('/', api)
  await screen.findByText('Cliente 2')
  expect(reads(api)).toBe(1)
  return api
}

test('the page is read again every 60 seconds, without a word when nothing is new', async () => {
  const api = await open()
  await act(() => vi.advanceTimersByTimeAsync(58_000))
  expect(reads(api)).toBe(1)
  await act(() => vi.advanceTimersByTimeAsync(3_000))
  expect(reads(api)).toBe(2)
  expect(screen.queryByText(/^Hai /)).toBeNull()
  api.on(listOrders, ({ query }) => pageOf(orders(4), query))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(await screen.findByText('Hai 2 nuovi ordini')).toBeDefined()
})

test('switched off, it is not', async () => {
  const api = await open()
  fireEvent.click(screen.getByRole('button', { name: 'Auto-aggiornamento attivo' }))
  await act(() => vi.advanceTimersByTimeAsync(180_000))
  expect(reads(api)).toBe(1)
})

test('a page that becomes visible again is read at once', async () => {
  const api = await open()
  fireEvent(window, new Event('visibilitychange'))
  await waitFor(() => expect(reads(api)).toBe(2))
})
