import { getOwnAdministrator } from '@bancone/contract/administrators'
import { act, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { adminServer } from '../../test/administration.ts'
import { fill, signIn } from '../../test/fill.ts'
import { administrator, sessionOf } from '../../test/fixtures.ts'
import { focused } from '../../test/focused.ts'
import { renderApp, storeSession } from '../../test/render-app.tsx'
import { failure, type StubApi } from '../../test/stub-api.ts'
import { endpointKey } from '../lib/endpoint-query.ts'
import { storageKeys } from '../lib/storage-keys.ts'

const session = sessionOf(administrator.id)
const KEY = storageKeys.admin.session

function server() {
  return adminServer({})
}

function open(path: string, api = server()) {
  storeSession('admin', session)
  return { api, ...renderApp(path, api, { signedIn: false }) }
}

const login = () => screen.findByRole('heading', { name: 'Area Amministratori' })
const dashboard = () => screen.findByRole('heading', { name: 'Dashboard amministratori' })
const denied = 'Non hai i permessi di amministratore'

test.each(['/admin', '/admin/pharmacies/new'])(
  'without a session %s leads to the login of the administration',
  async (path) => {
    const api = server()
    renderApp(path, api)
    expect(await login()).toBeDefined()
    expect(location.pathname).toBe('/admin/login')
    expect(screen.queryByRole('alert')).toBeNull()
    expect(api.requests.filter(({ bearer }) => bearer !== null)).toEqual([])
  },
)

test('the administration opens on its dashboard, in its frame', async () => {
  open('/admin')
  expect(await dashboard()).toBeDefined()
  expect(location.pathname).toBe('/admin/dashboard')
  expect(screen.getByText('Amministrazione')).toBeDefined()
  expect(screen.getAllByText(administrator.email).length).toBeGreaterThan(0)
  await waitFor(() => expect(document.title).toBe('Dashboard amministratori · Bancone'))
})

test("'Esci' returns to the login at once and leaves no way back", async () => {
  const { user, client } = open('/admin/dashboard')
  await dashboard()
  await user.click(screen.getByRole('button', { name: 'Esci' }))
  expect(await login()).toBeDefined()
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(window.history.state).toMatchObject({ usr: null })
  expect(client.getQueryCache().findAll({ queryKey: ['admin'] })).toEqual([])
})

test('who is no administrator any more is signed out and told at the next check', async () => {
  const { api, client } = open('/admin/dashboard')
  await dashboard()
  api.on(getOwnAdministrator, () => failure('access.denied'))
  await act(() => client.invalidateQueries({ queryKey: endpointKey(getOwnAdministrator) }))
  expect(await login()).toBeDefined()
  expect(screen.getByRole('alert').textContent).toBe(denied)
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(screen.queryByText('Dashboard amministratori')).toBeNull()
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

test('nor does it take the page from an administrator who was let in before', async () => {
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
  expect(screen.getByRole('status').textContent).toBe(
    'Errore di autenticazione. Riprova ad accedere.',
  )
  expect(window.history.state).toMatchObject({ usr: { from: '/admin/pharmacies' } })
})

describe('an administrator with a second factor', () => {
  const half = sessionOf(administrator.id, { apps: ['Telefono'] })
  const whole = sessionOf(administrator.id, { apps: ['Telefono'], elevated: true })

  function withApp() {
    return server()
      .auth('POST', '/token', () => Response.json(half))
      .auth('POST', '/factors/[^/]+/challenge', () => Response.json({ id: 'one', type: 'totp' }))
      .auth('POST', '/factors/[^/]+/verify', () => Response.json(whole))
  }

  const asked = (api: StubApi) => api.requests.filter(({ path }) => path === '/api/administrator')

  test('is asked for it after the password, before anything else is', async () => {
    const api = withApp()
    renderApp('/admin/nothing', api, { signedIn: false })
    await signIn(administrator.email)
    expect(await screen.findByRole('heading', { name: 'Verifica in due passaggi' })).toBeDefined()
    expect(asked(api)).toEqual([])
    fill(screen.getByLabelText('Codice'), '123456')
    expect(await screen.findByRole('heading', { name: 'Pagina non trovata' })).toBeDefined()
    const way = screen.getByRole('link', { name: 'Vai alla dashboard' })
    expect(way.getAttribute('href')).toBe('/admin/dashboard')
    expect(screen.getByRole('button', { name: 'Esci' })).toBeDefined()
    expect(location.pathname).toBe('/admin/nothing')
    expect(localStorage.getItem(KEY)).toContain(whole.access_token)
  })
})

describe('where administrators must have a second factor', () => {
  const raised = sessionOf(administrator.id, { apps: ['App di autenticazione'], elevated: true })
  const codes = Array.from({ length: 10 }, (_, n) => `code${n}-abcde`)

  function strict() {
    const totp = { qr_code: '<svg/>', secret: 'JBSWY3DPEHPK3PXP', uri: 'otpauth://totp/x' }
    const api = adminServer({})
    return api
      .on(getOwnAdministrator, () => {
        const { bearer } = api.requests.at(-1) ?? {}
        const good = bearer === `Bearer ${raised.access_token}`
        return good ? administrator : failure('session.enrolment_needed')
      })
      .auth('POST', '/factors', () => Response.json({ id: 'new', type: 'totp', totp }))
      .auth('POST', '/factors/new/challenge', () => Response.json({ id: 'one', type: 'totp' }))
      .auth('POST', '/factors/new/verify', () => Response.json(raised))
      .auth('POST', '/factors/recovery-codes/regenerate', () => Response.json({ codes }))
  }

  const page = () => screen.findByRole('heading', { name: 'Attiva la verifica in due passaggi' })

  test('who has none adds it before anything else, and keeps its recovery codes', async () => {
    const { user, client } = open('/admin/dashboard', strict())
    await focused(await page())
    expect(screen.getByText(/qui la sola password non basta/)).toBeDefined()
    fill(await screen.findByLabelText('Codice di 6 cifre'), '123456')
    expect(await screen.findByText('code9-abcde')).toBeDefined()
    // The session is good enough now: the codes stay all the same.
    await act(() => client.refetchQueries({ queryKey: endpointKey(getOwnAdministrator) }))
    expect(screen.getByText('code9-abcde')).toBeDefined()
    expect(screen.queryByRole('heading', { name: 'Dashboard amministratori' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Li ho salvati' }))
    expect(await dashboard()).toBeDefined()
  })

  test('the login leads there, and not out', async () => {
    const api = strict().auth('POST', '/token', () => Response.json(session))
    const { user } = renderApp('/admin/login', api, { signedIn: false })
    await signIn(administrator.email)
    expect(await page()).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Esci' }))
    expect(await login()).toBeDefined()
  })
})
