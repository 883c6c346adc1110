import { listOrders } from '@bancone/contract/orders'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { orders } from '../../test/fixtures.ts'
import { renderApp, serverWith } from '../../test/render-app.tsx'
import { failure } from '../../test/stub-api.ts'
import { setViewport } from '../../test/viewport.ts'
import { auth, LEFT_STORAGE_KEY, SESSION_STORAGE_KEY } from '../lib/auth-client.ts'

const login = () => screen.findByRole('heading', { name: 'Accedi' })
const ended = () => screen.queryByText('La sessione è scaduta. Accedi di nuovo.')

test('without a session the dashboard leads to the login, and back does not return', async () => {
  const api = serverWith(orders(1))
  renderApp('/', api, { signedIn: false })
  expect(await login()).toBeDefined()
  expect(location.pathname).toBe('/login')
  expect(ended()).toBeNull()
  expect(api.requests).toEqual([])
})

test('a spinner stands while the session is not known', async () => {
  renderApp('/', serverWith([]))
  expect(screen.getByRole('status').textContent).toBe('Caricamento in corso…')
  await screen.findByText('Nessun ordine trovato')
})

test('Logout in the menu of the name ends the session and forgets the orders', async () => {
  const api = serverWith(orders(1))
  const { user, client } = renderApp('/?pageSize=10', api)
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  const [name] = screen.getAllByRole('menuitem')
  expect(name?.getAttribute('aria-disabled')).toBe('true')
  expect(screen.queryByRole('menuitem', { name: 'Dashboard' })).toBeNull()
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
  expect(await login()).toBeDefined()
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull()
  expect(client.getQueryCache().getAll()).toEqual([])
  expect(api.requests.some(({ path }) => path === '/auth/v1/logout?scope=local')).toBe(true)
  expect(window.history.state).toMatchObject({ usr: null })
  expect(ended()).toBeNull()
})

test('Logout works with the server down', async () => {
  const api = serverWith(orders(1)).auth('POST', '/logout', () => new Response('', { status: 503 }))
  const { user } = renderApp('/', api)
  await user.click(await screen.findByRole('button', { name: 'Farmacia San Carlo' }))
  await user.click(screen.getByRole('menuitem', { name: 'Logout' }))
  expect(await login()).toBeDefined()
  expect(localStorage.getItem(SESSION_STORAGE_KEY)).toBeNull()
})

test('on a phone the menu of the name also holds the links, and keys move in it', async () => {
  setViewport('narrow')
  const { user } = renderApp('/', serverWith([]))
  const button = await screen.findByRole('button', { name: 'Farmacia San Carlo' })
  button.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Dashboard' }))
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(screen.getByRole('menuitem', { name: 'Logout' }))
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(button)
})

test('a session the API does not know ends here too, and it is said', async () => {
  const api = serverWith(orders(1)).on(listOrders, () => failure('session.missing'))
  renderApp('/?page=2', api)
  expect(await login()).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('La sessione è scaduta. Accedi di nuovo.')
  expect(window.history.state).toMatchObject({ usr: { from: '/?page=2' } })
})

test('a page that comes back from the browser cache asks for the session again', async () => {
  renderApp('/', serverWith(orders(1)))
  await screen.findByText('Cliente 1')
  localStorage.removeItem(SESSION_STORAGE_KEY)
  act(() => {
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  expect(screen.queryByText('Cliente 1')).toBeNull()
  expect(await login()).toBeDefined()
})

test('a sign-out in another tab ends the session in this one', async () => {
  renderApp('/', serverWith(orders(1)))
  await screen.findByText('Cliente 1')
  localStorage.setItem(LEFT_STORAGE_KEY, '1')
  localStorage.removeItem(SESSION_STORAGE_KEY)
  act(() => {
    window.dispatchEvent(new StorageEvent('storage', { key: SESSION_STORAGE_KEY, newValue: null }))
  })
  expect(await login()).toBeDefined()
  expect(ended()).toBeNull()
})

test('a loading that does not end gives way to the login after 15 seconds', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.spyOn(auth, 'onAuthStateChange').mockReturnValue({
    data: {
      subscription: { id: 'never', callback: () => undefined, unsubscribe: () => undefined },
    },
  })
  renderApp('/', serverWith([]))
  await act(() => vi.advanceTimersByTimeAsync(14_000))
  expect(screen.queryByRole('heading', { name: 'Accedi' })).toBeNull()
  await act(() => vi.advanceTimersByTimeAsync(1_100))
  await waitFor(async () => expect(await login()).toBeDefined())
})

test('an unknown address has a page of its own, the privacy page is open to all', async () => {
  const { unmount } = renderApp('/offers', serverWith([]), { signedIn: false })
  expect(await screen.findByRole('heading', { name: 'Pagina non trovata' })).toBeDefined()
  unmount()
  renderApp('/privacy', serverWith([]), { signedIn: false })
  expect(await screen.findByRole('heading', { name: 'Informativa sulla privacy' })).toBeDefined()
})

test('another page begins at its top, back leads to where one was', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo').mockReturnValue(undefined)
  const { user } = renderApp('/login', serverWith([]), { signedIn: false })
  await login()
  expect(scrollTo).not.toHaveBeenCalled()
  await user.click(screen.getByRole('link', { name: 'informativa sulla privacy' }))
  await screen.findByRole('heading', { name: 'Informativa sulla privacy' })
  expect(scrollTo.mock.calls).toEqual([[{ top: 0, behavior: 'instant' }]])
  window.history.back()
  await login()
  expect(scrollTo).toHaveBeenCalledTimes(1)
})
