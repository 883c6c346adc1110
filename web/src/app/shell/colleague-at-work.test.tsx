import { listOrders } from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { staffPharmacy } from '../../../test/colleagues.ts'
import { FakeChannels } from '../../../test/fake-channel.ts'
import { newOrder, orders, pageOf, pharmacy, sessionOf } from '../../../test/fixtures.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { deferred, failure, rawReply } from '../../../test/stub-api.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

const giulia = '6a0b7d5d-1c9f-4b0d-8e5e-1b6a7c0d1e2f'
const marco = '0b7d5d6a-1c9f-4b0d-8e5e-1b6a7c0d1e2f'

let lines: FakeChannels

beforeEach(() => {
  lines = new FakeChannels()
  storeSession('pharmacy', sessionOf(giulia))
})

function server(all = orders(1)) {
  return serverWith(all).on(getOwnPharmacy, () => staffPharmacy)
}

function start(api = server()) {
  return { api, ...renderApp('/', api, { signedIn: false, openChannel: lines.openChannel }) }
}

/** Another account signs in with this browser, in another tab. */
function signIn(user: string) {
  storeSession('pharmacy', sessionOf(user))
  const key = storageKeys.pharmacy.session
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })))
}

test('a colleague hears of the orders of the pharmacy, not of an account of their own', async () => {
  start()
  await screen.findByText('Cliente 1')
  await waitFor(() =>
    expect(lines.opened.map(({ topic }) => topic)).toEqual([`pharmacy:${pharmacy.id}`]),
  )
})

test('the orders are asked for before it is known whose they are', async () => {
  const api = server().on(getOwnPharmacy, () => new Promise<never>(() => undefined))
  start(api)
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(lines.opened).toEqual([])
})

test('a pharmacy that could not be read is asked for again, said once, and then news come at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
  let asked = 0
  const second = deferred<ReturnType<typeof rawReply>>()
  const api = server().on(getOwnPharmacy, () => {
    asked += 1
    if (asked === 1) return rawReply('<html>', 500)
    return asked === 2 ? second.promise : staffPharmacy
  })
  const failed = () => screen.queryByText('Errore nel recupero dei dati della farmacia')
  start(api)
  await vi.waitFor(() => screen.getByText('Cliente 1'))
  // The texts of errors are loaded with the first one.
  await vi.waitFor(() => expect(failed()).not.toBeNull(), 10_000)
  expect(lines.opened).toEqual([])
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  expect(asked).toBe(2)
  // The words have gone by themselves, and are not said again.
  expect(failed()).toBeNull()
  second.resolve(rawReply('<html>', 500))
  await act(() => vi.advanceTimersByTimeAsync(1_000))
  expect(failed()).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(30_000))
  await vi.waitFor(() => expect(lines.opened).toHaveLength(1))
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(asked).toBe(3)
})

test('the menu says who is signed in, above the pharmacy, and leads where they may go', async () => {
  const { user } = start()
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  expect(screen.getAllByRole('menuitem').map(({ textContent }) => textContent)).toEqual([
    'Giulia FerriFarmacia San Carlo',
    'Sicurezza',
    'Prova del lettore',
    'Logout',
  ])
  expect(screen.getByRole('menuitem', { name: 'Sicurezza' }).getAttribute('href')).toBe('/account')
})

test('a role that changes while they work is felt at once', async () => {
  const { api, user } = start()
  await screen.findByText('Cliente 1')
  await waitFor(() => expect(lines.opened).toHaveLength(1))
  api.on(getOwnPharmacy, () => ({ ...pharmacy, personName: 'Giulia Ferri' }))
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  expect(screen.queryByRole('menuitem', { name: 'Colleghi' })).toBeNull()
  lines.emit(({ broadcast }) => broadcast('pharmacy', {}))
  expect(await screen.findByRole('menuitem', { name: 'Colleghi' })).toBeDefined()
})

test('who is removed while they work is led to the login, with words', async () => {
  const { api } = start()
  await screen.findByText('Cliente 1')
  await waitFor(() => expect(lines.opened).toHaveLength(1))
  api.on(getOwnPharmacy, () => failure('session.unknown_user'))
  api.on(listOrders, () => failure('session.unknown_user'))
  lines.emit(({ closed }) => closed())
  expect(await screen.findByRole('heading', { name: 'Accedi' })).toBeDefined()
  expect(screen.getByText(/^Il tuo account è stato chiuso\./)).toBeDefined()
  expect(screen.queryByText(/sessione è scaduta/)).toBeNull()
  // The next account to sign in does not come to the page of the one before.
  expect(window.history.state).toMatchObject({ usr: { from: null, why: 'closed' } })
  expect(screen.queryByText('Cliente 1')).toBeNull()
})

test('whose account works nowhere any more is told that they left, not that they never were there', async () => {
  const { api } = start()
  await screen.findByText('Cliente 1')
  await waitFor(() => expect(lines.opened).toHaveLength(1))
  api.on(getOwnPharmacy, () => failure('pharmacy.not_found'))
  lines.emit(({ closed }) => closed())
  expect(
    await screen.findByRole('heading', { name: 'Non fai più parte di questa farmacia' }),
  ).toBeDefined()
  expect(screen.getByText(/Per tornare a lavorare in «Farmacia San Carlo»/)).toBeDefined()
  expect(screen.queryByText('Cliente 1')).toBeNull()
})

test('the own account of a pharmacy is told that the pharmacy was deleted', async () => {
  storeSession('pharmacy', sessionOf(pharmacy.id))
  const { api } = start()
  await screen.findByText('Cliente 1')
  await waitFor(() => expect(lines.opened).toHaveLength(1))
  api.on(getOwnPharmacy, () => failure('pharmacy.not_found'))
  lines.emit(({ closed }) => closed())
  expect(
    await screen.findByRole('heading', { name: 'La farmacia è stata eliminata.' }),
  ).toBeDefined()
})

test('what one was told of is still news for the next who signs in', async () => {
  const all = [newOrder(2), ...orders(1)]
  start(server().on(listOrders, ({ query }) => pageOf(all, query)))
  const told = () => {
    const kept: unknown = JSON.parse(sessionStorage.getItem('bancone-announced-orders') ?? 'null')
    return kept
  }
  await waitFor(() => expect(told()).toEqual({ userId: giulia, ids: ['rec000002'] }))
  signIn(marco)
  await waitFor(() => expect(told()).toEqual({ userId: marco, ids: ['rec000002'] }))
})
