import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { orders, pharmacy, sessionOf } from '../../test/fixtures.ts'
import { renderApp, serverWith } from '../../test/render-app.tsx'
import { deferred, failure, type StubApi } from '../../test/stub-api.ts'
import { pharmacySession } from '../lib/session.ts'

const login = () => screen.findByRole('heading', { name: 'Accedi' })
const complaint = 'Errore nel recupero dei dati della farmacia'

function fetches(api: StubApi): number {
  return api.requests.filter(({ path }) => path === getOwnPharmacy.path).length
}

test('a spinner is displayed while the authentication state is loading', async () => {
  renderApp('/', serverWith([]))
  expect(screen.getByRole('status').textContent).toBe('Caricamento in corso…')
  await screen.findByText('Nessun ordine trovato')
})

test('a token refresh does not reload pharmacy data', async () => {
  const api = serverWith(orders(1))
  api.auth('POST', '/token', () => Response.json(sessionOf(undefined, { lasts: 7200 })))
  renderApp('/', api)
  await screen.findByRole('button', { name: pharmacy.name })
  const client = await pharmacySession.auth()
  await act(() => client.refreshSession())
  expect(api.requests.some(({ path }) => path.includes('refresh_token'))).toBe(true)
  expect(fetches(api)).toBe(1)
  expect(screen.getByRole('button', { name: pharmacy.name })).toBeDefined()
})

test('several events in quick succession cause one fetch, and none when the data is there', async () => {
  const answer = deferred<typeof pharmacy>()
  const api = serverWith(orders(1)).on(getOwnPharmacy, () => answer.promise)
  renderApp('/', api)
  await screen.findByText('Cliente 1')
  // Every return to the tab makes the client say SIGNED_IN again.
  const signedIn = vi.fn<(event: string) => void>()
  const client = await pharmacySession.auth()
  client.onAuthStateChange((event) => signedIn(event))
  const handleCallback = () => act(() => void window.dispatchEvent(new Event('visibilitychange')))
  handleCallback()
  handleCallback()
  await waitFor(() => {
    expect(signedIn.mock.calls.filter(([event]) => event === 'SIGNED_IN')).toHaveLength(2)
  })
  expect(fetches(api)).toBe(1)
  await act(async () => answer.resolve(pharmacy))
  await screen.findByRole('button', { name: pharmacy.name })
  handleCallback()
  await waitFor(() => {
    expect(signedIn.mock.calls.filter(([event]) => event === 'SIGNED_IN')).toHaveLength(3)
  })
  expect(fetches(api)).toBe(1)
})

test('the next user begins with nothing of the one before', async () => {
  const next = sessionOf('0b0a3f5e-6d0c-4d43-8d6e-9a3c8a1c7b11')
  const api = serverWith(orders(1)).auth('POST', '/token', () => Response.json(next))
  renderApp('/', api)
  await screen.findByText('Cliente 1')
  const answer = deferred<never>()
  api.on(getOwnPharmacy, () => answer.promise)
  const client = await pharmacySession.auth()
  await act(() => client.signInWithPassword({ email: 'b@example.it', password: 'x' }))
  expect(screen.queryByRole('button', { name: pharmacy.name })).toBeNull()
  await screen.findByText('Cliente 1')
})

test(`another failure gives the toast '${complaint}'`, async () => {
  renderApp(
    '/',
    serverWith([]).on(getOwnPharmacy, () => failure('service.unavailable')),
  )
  expect(await screen.findByText(complaint)).toBeDefined()
})

test('an account without a pharmacy is told so without a toast, and can leave', async () => {
  const api = serverWith([]).on(getOwnPharmacy, () => failure('pharmacy.not_found'))
  const { user } = renderApp('/', api)
  const name = 'A questo accesso non corrisponde nessuna farmacia.'
  expect(await screen.findByRole('heading', { name })).toBeDefined()
  expect(screen.queryByText(complaint)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Logout' }))
  await login()
})
