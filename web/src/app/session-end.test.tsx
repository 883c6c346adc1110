import { listOrders } from '@bancone/contract/orders'
import { act, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { signIn } from '../../test/fill.ts'
import { orders, sessionOf } from '../../test/fixtures.ts'
import { allowPrinted } from '../../test/printed.ts'
import { renderApp, serverWith, storeSession } from '../../test/render-app.tsx'
import { deferred, failure } from '../../test/stub-api.ts'
import { pharmacySession } from '../lib/session.ts'
import { storageKeys } from '../lib/storage-keys.ts'

const { session: KEY, signedOut: LEFT } = storageKeys.pharmacy

const login = () => screen.findByRole('heading', { name: 'Accedi' })
const ended = () => screen.queryByText('La sessione è scaduta. Accedi di nuovo.')

async function logout(user: UserEvent) {
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
}

/** What this tab is told when another one has written or cleared what they share. */
function notifyFromOtherTab(key: string | null = KEY) {
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key })))
}

test('Logout in the menu of the name ends the session and forgets the orders', async () => {
  const api = serverWith(orders(1))
  const { user, client } = renderApp('/?pageSize=10', api)
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  const [name] = screen.getAllByRole('menuitem')
  expect(name?.getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('menuitem', { name: 'Dashboard' })).toBeNull()
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
  expect(await login()).toBeDefined()
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(client.getQueryCache().findAll({ queryKey: ['pharmacy'] })).toEqual([])
  expect(window.history.state).toMatchObject({ usr: null })
  expect(ended()).toBeNull()
})

test('Logout is told to the server by a call that outlives the page, of this session alone', async () => {
  const api = serverWith(orders(1))
  const { user } = renderApp('/', api)
  const token = pharmacySession.current()?.accessToken
  await logout(user)
  const told = () => api.requests.find(({ path }) => path.startsWith('/auth/v1/logout'))
  await waitFor(() => expect(told()).toBeDefined())
  expect(told()).toMatchObject({
    method: 'POST',
    path: '/auth/v1/logout?scope=local',
    bearer: `Bearer ${token}`,
    keepalive: true,
  })
})

test.each([
  ['does not answer', () => deferred<Response>().promise],
  ['fails', () => new Response('', { status: 503 })],
])('Logout does not wait for a server that %s', async (_how, answer) => {
  const { user } = renderApp('/', serverWith(orders(1)).auth('POST', '/logout', answer))
  await logout(user)
  // No waiting here: the page is gone with the click.
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(screen.queryByText('Cliente 1')).toBeNull()
  expect(await login()).toBeDefined()
})

test('a refresh that was on its way when the user left does not bring the session back', async () => {
  const answer = deferred<Response>()
  const api = serverWith(orders(1)).auth('POST', '/token', () => answer.promise)
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 1')
  void pharmacySession.auth().then((client) => client.refreshSession())
  await waitFor(() => expect(api.requests.some(({ path }) => /token/.test(path))).toBe(true))
  await logout(user)
  await login()
  await act(async () => answer.resolve(Response.json(sessionOf())))
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(await login()).toBeDefined()
})

test('nor does a call that puts the session back whatever has become of it', async () => {
  const answer = deferred<Response>()
  const api = serverWith(orders(1)).auth('PUT', '/user', () => answer.promise)
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 1')
  const update = pharmacySession.auth().then((client) => client.updateUser({ data: {} }))
  await waitFor(() => expect(api.requests.some(({ method }) => method === 'PUT')).toBe(true))
  await logout(user)
  await login()
  answer.resolve(Response.json(sessionOf().user))
  await act(async () => void (await update))
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(screen.queryByText('Cliente 1')).toBeNull()
  // The same user can sign in again after that.
  const again = sessionOf(undefined, { id: 'another session' })
  api.auth('POST', '/token', () => Response.json(again))
  await signIn()
  expect(await screen.findByText('Cliente 1')).toBeDefined()
})

test('signing out in one tab signs the others out, who need not be told why', async () => {
  renderApp('/', serverWith(orders(1)))
  await screen.findByText('Cliente 1')
  localStorage.setItem(LEFT, 'session of 7b1c8f6e-2d0a-4c1e-9f6f-0c7b8d1e2f3a')
  localStorage.removeItem(KEY)
  notifyFromOtherTab()
  expect(screen.queryByText('Cliente 1')).toBeNull()
  expect(await login()).toBeDefined()
  expect(ended()).toBeNull()
})

test('so does clearing what the browser keeps', async () => {
  renderApp('/', serverWith(orders(1)))
  await screen.findByText('Cliente 1')
  localStorage.clear()
  notifyFromOtherTab(null)
  expect(await login()).toBeDefined()
})

test('signing in in another tab shows the page here too', async () => {
  renderApp('/?page=1', serverWith(orders(1)), { signedIn: false })
  await login()
  storeSession()
  notifyFromOtherTab()
  expect(await screen.findByText('Cliente 1')).toBeDefined()
})

test('a page that comes back from the browser cache asks for the session again', async () => {
  renderApp('/', serverWith(orders(1)))
  await screen.findByText('Cliente 1')
  localStorage.removeItem(KEY)
  act(() => void window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  expect(screen.queryByText('Cliente 1')).toBeNull()
  expect(await login()).toBeDefined()
})

test('the words of a search are for who searched, not for who signs in next', async () => {
  const { unmount } = renderApp('/?stato=Confermato#q=cliente', serverWith(orders(1)))
  act(() => pharmacySession.invalidate(pharmacySession.current()?.accessToken ?? ''))
  await login()
  const { usr } = z.object({ usr: z.unknown() }).parse(window.history.state)
  unmount()
  pharmacySession.stop()

  const colleague = sessionOf('6a0b7d5d-1c9f-4b0d-8e5e-1b6a7c0d1e2f', { id: 'another session' })
  const back = serverWith(orders(1)).auth('POST', '/token', () => Response.json(colleague))
  renderApp('/login', back, { signedIn: false, entry: usr })
  await login()
  await signIn('collega@example.it')
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(location.search + location.hash).toBe('')
})

test('the notice and the way back outlast a reload of the login page', async () => {
  const api = serverWith(orders(1)).on(listOrders, () => failure('session.missing'))
  const { unmount } = renderApp('/?page=1', api)
  await login()
  const { usr } = z.object({ usr: z.unknown() }).parse(window.history.state)
  unmount()
  pharmacySession.stop()
  const again = sessionOf(undefined, { id: 'another session' })
  const back = serverWith(orders(1)).auth('POST', '/token', () => Response.json(again))
  renderApp('/login', back, { signedIn: false, entry: usr })
  await login()
  expect(ended()).not.toBeNull()
  await signIn()
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(location.search).toBe('?page=1')
})

test('a stored session that is refused when the page loads is said to have ended', async () => {
  const body = { code: 'refresh_token_not_found', message: 'Invalid Refresh Token' }
  const api = serverWith(orders(1)).auth('POST', '/token', () =>
    Response.json(body, { status: 400, headers: { 'x-supabase-api-version': '2024-01-01' } }),
  )
  storeSession('pharmacy', sessionOf(undefined, { id: 'refused at load', lasts: -60 }))
  renderApp('/?page=1', api, { signedIn: false })
  expect(await login()).toBeDefined()
  expect(ended()).not.toBeNull()
  allowPrinted(/AuthApiError/)
})

test('a refusal of a token that was replaced meanwhile ends nothing', async () => {
  const api = serverWith(orders(1))
  const { user } = renderApp('/', api)
  await screen.findByText('Cliente 1')
  const answer = deferred<ReturnType<typeof failure>>()
  api.on(listOrders, () => answer.promise)
  await user.click(screen.getByRole('button', { name: 'Aggiorna' }))
  storeSession('pharmacy', sessionOf(undefined, { lasts: 7200 }))
  answer.resolve(failure('session.missing'))
  expect(await screen.findByRole('alert')).toBeDefined()
  expect(screen.getByText('Cliente 1')).toBeDefined()
  expect(localStorage.getItem(KEY)).not.toBeNull()
})
