import { listOrders } from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { orders, pharmacy } from '../../../test/fixtures.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { failure, type StubApi } from '../../../test/stub-api.ts'

const wait = (seconds: number) => act(() => vi.advanceTimersByTimeAsync(seconds * 1_000))
const bar = () => within(screen.getByRole('navigation', { name: 'Pagine degli ordini' }))
const go = (name: string) => fireEvent.click(bar().getByRole('button', { name }))
const pharmacyReads = (api: StubApi) =>
  api.requests.filter(({ path }) => path === getOwnPharmacy.path).length

test('a page one has left is kept for two minutes, and no longer', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const api = serverWith(orders(10))
  renderApp('/?page=3&pageSize=2', api)
  await screen.findByText('Cliente 6')
  await screen.findByRole('navigation', { name: 'Pagine degli ordini' })
  go('5')
  await screen.findByText('Cliente 2')
  // From now on the server has nothing to say.
  api.on(listOrders, () => new Promise<never>(() => undefined))
  await wait(110)
  go('3')
  expect(await screen.findByText('Cliente 6')).toBeDefined()
  go('5')
  await waitFor(() => expect(screen.queryByText('Cliente 6')).toBeNull())
  await wait(125)
  go('3')
  await wait(1)
  expect(screen.queryByText('Cliente 6')).toBeNull()
})

test('the pharmacy is asked for again when five minutes are over, and the old one will do', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const api = serverWith(orders(1))
  renderApp('/', api)
  await screen.findByRole('button', { name: pharmacy.name })
  await wait(4 * 60 + 50)
  fireEvent(window, new Event('visibilitychange'))
  await wait(1)
  expect(pharmacyReads(api)).toBe(1)
  api.on(getOwnPharmacy, () => failure('internal'))
  await wait(15)
  fireEvent(window, new Event('visibilitychange'))
  await waitFor(() => expect(pharmacyReads(api)).toBe(2))
  expect(screen.getByRole('button', { name: pharmacy.name })).toBeDefined()
  expect(screen.queryByText('Errore nel recupero dei dati della farmacia')).toBeNull()
})
