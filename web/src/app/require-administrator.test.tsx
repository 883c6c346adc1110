import { getOwnAdministrator } from '@bancone/contract/administrators'
import { act, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { administrator, sessionOf } from '../../test/fixtures.ts'
import { focused } from '../../test/focused.ts'
import { allowPrinted } from '../../test/printed.ts'
import { renderApp, serverWith, storeSession } from '../../test/render-app.tsx'
import { failure } from '../../test/stub-api.ts'
import { endpointKey } from '../lib/endpoint-query.ts'
import { storageKeys } from '../lib/session.ts'

const session = sessionOf(administrator.id)
const KEY = storageKeys.admin.session

function server() {
  return serverWith([]).on(getOwnAdministrator, () => administrator)
}

function open(path: string, api = server()) {
  storeSession('admin', session)
  return { api, ...renderApp(path, api, { signedIn: false }) }
}

const login = () => screen.findByRole('heading', { name: 'Area Amministratori' })
const dashboard = () => screen.findByRole('heading', { name: 'Dashboard amministratori' })
const denied = 'Non hai i permessi di amministratore'

test.each(['/admin', '/admin/dashboard', '/admin/pharmacies/new'])(
  'without a session %s leads to the login of the administration',
  async (path) => {
    const api = server()
    renderApp(path, api)
    expect(await login()).toBeDefined()
    expect(location.pathname).toBe('/admin/login')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(api.requests).toEqual([])
  },
)

test.each(['/admin', '/admin/dashboard'])('%s is the dashboard, in its frame', async (path) => {
  open(path)
  expect(await dashboard()).toBeDefined()
  expect(location.pathname).toBe('/admin/dashboard')
  expect(screen.getByText('Amministrazione')).toBeDefined()
  expect(screen.getAllByText(administrator.email).length).toBeGreaterThan(0)
  expect(document.title).toBe('Dashboard amministratori · Bancone')
})

test('another address is not found, in the frame, with the way back', async () => {
  const { user } = open('/admin/nothing')
  expect(await screen.findByRole('heading', { name: 'Pagina non trovata' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Esci' })).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'Vai alla dashboard' }))
  await focused(await dashboard())
})

test("'Esci' returns to the login at once and leaves no way back", async () => {
  const { user, client } = open('/admin/dashboard')
  await dashboard()
  await user.click(screen.getByRole('button', { name: 'Esci' }))
  expect(await login()).toBeDefined()
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(window.history.state).toMatchObject({ usr: null })
  expect(client.getQueryCache().getAll()).toEqual([])
})

test('who is no administrator is signed out and told', async () => {
  const api = server().on(getOwnAdministrator, () => failure('access.denied'))
  open('/admin/dashboard', api)
  expect(await login()).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe(denied)
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(screen.queryByText('Dashboard amministratori')).toBeNull()
})

test('who is one no longer, too, at the next check', async () => {
  const { api, client } = open('/admin/dashboard')
  await dashboard()
  api.on(getOwnAdministrator, () => failure('access.denied'))
  await act(() => client.invalidateQueries({ queryKey: endpointKey(getOwnAdministrator) }))
  expect(await login()).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe(denied)
})

test('a server that cannot answer is an error to try again, and no sign-out', async () => {
  const api = server().on(getOwnAdministrator, () => failure('service.unavailable'))
  const { user } = open('/admin/dashboard', api)
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Il servizio non è disponibile in questo momento. Riprova tra poco.',
  )
  expect(localStorage.getItem(KEY)).not.toBeNull()
  api.on(getOwnAdministrator, () => administrator)
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await dashboard()).toBeDefined()
})

test('nor does it take the page from whoever was let in before', async () => {
  const { api, client } = open('/admin/dashboard')
  await dashboard()
  api.on(getOwnAdministrator, () => failure('service.unavailable'))
  await act(() => client.invalidateQueries({ queryKey: endpointKey(getOwnAdministrator) }))
  await waitFor(() => {
    expect(client.getQueryState(endpointKey(getOwnAdministrator, {}))?.status).toBe('error')
  })
  expect(await dashboard()).toBeDefined()
  expect(localStorage.getItem(KEY)).not.toBeNull()
})

test('a session that is over leads to the login, which says so', async () => {
  const api = server().on(getOwnAdministrator, () => failure('session.missing'))
  open('/admin/pharmacies', api)
  expect(await login()).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('La sessione è scaduta. Accedi di nuovo.')
  expect(window.history.state).toMatchObject({ usr: { from: '/admin/pharmacies' } })
})

test('a server out of reach is said as such', async () => {
  const api = server().on(getOwnAdministrator, () => Promise.reject(new TypeError('fetch failed')))
  open('/admin/dashboard', api)
  expect((await screen.findByRole('alert')).textContent).toContain('Il server non risponde.')
  allowPrinted(/fetch failed/)
})
