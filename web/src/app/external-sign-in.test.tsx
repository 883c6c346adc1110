import { listSignInMethods } from '@bancone/contract/account'
import { getOwnAdministrator } from '@bancone/contract/administrators'
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { authError } from '../../test/auth-error.ts'
import { captureRedirects } from '../../test/captured-redirects.ts'
import { fill } from '../../test/fill.ts'
import { administrator, orders, sessionOf, userId } from '../../test/fixtures.ts'
import { inactive } from '../../test/inactive.ts'
import { allowPrinted } from '../../test/printed.ts'
import { renderApp, serverWith, storeSession } from '../../test/render-app.tsx'
import { deferred, type StubApi } from '../../test/stub-api.ts'
import { storageKeys } from '../lib/storage-keys.ts'

const byOther = sessionOf(userId, { method: 'oauth' })
const VERIFIER = `${storageKeys.pharmacy.session}-code-verifier`

function server(exchange: () => Response | Promise<Response> = () => Response.json(byOther)) {
  return serverWith(orders(3))
    .on(listSignInMethods, () => ({ providers: [{ id: 'oidc', name: 'Regione' }] }))
    .on(getOwnAdministrator, () => administrator)
    .auth('POST', '/token', exchange)
}

const way = () => screen.findByRole('button', { name: 'Accedi con Regione' })
const exchanges = (api: StubApi) =>
  api.requests.filter(({ path }) => path === '/auth/v1/token?grant_type=pkce')

/** The browser comes back, after it has left from here. */
function handleCallback(address: string, api = server(), key = VERIFIER) {
  localStorage.setItem(key, JSON.stringify('a-verifier'))
  return renderApp(address, api, { signedIn: false })
}

describe('the login page', () => {
  test('offers nothing but the password where there is nothing else', async () => {
    const api = serverWith([])
    renderApp('/login', api, { signedIn: false })
    await screen.findByLabelText('Email')
    await waitFor(() => expect(api.requests).toMatchObject([{ path: '/api/sign-in-methods' }]))
    expect(screen.queryByText('oppure')).toBeNull()
    expect(screen.queryByRole('button', { name: /^Accedi con/ })).toBeNull()
  })

  test('works by password where the list of methods cannot be read', async () => {
    const api = server().on(listSignInMethods, () => Promise.reject(new TypeError('gone')))
    renderApp('/login', api, { signedIn: false })
    await screen.findByLabelText('Email')
    await waitFor(() => expect(api.requests.length).toBeGreaterThan(1))
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('leaves for the other service with a proof that stays here, and says where to come back to', async () => {
    const addresses = captureRedirects()
    const { user } = renderApp('/?page=2', server(), { signedIn: false })
    await user.click(await way())
    await waitFor(() => expect(addresses).toHaveLength(1))
    const [{ pathname, searchParams } = new URL('http://none')] = addresses
    expect(pathname).toBe('/auth/v1/authorize')
    const { code_challenge: challenge, ...rest } = Object.fromEntries(searchParams)
    expect(rest).toEqual({
      provider: 'oidc',
      redirect_to: `${location.origin}/login`,
      code_challenge_method: 's256',
    })
    expect(challenge).toMatch(/^[\w-]{43}$/)
    expect(localStorage.getItem(VERIFIER)).not.toContain(challenge)
    expect(inactive(await screen.findByRole('button', { name: 'Un momento...' }))).toBe(true)
  })

  test('can be used again by who goes back to it', async () => {
    captureRedirects()
    const { user } = renderApp('/login', server(), { signedIn: false })
    await user.click(await way())
    await screen.findByRole('button', { name: 'Un momento...' })
    window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
    expect(inactive(await way())).toBe(false)
  })

  test('of the administration comes back to itself', async () => {
    const addresses = captureRedirects()
    const { user } = renderApp('/admin/login', server(), { signedIn: false })
    await user.click(await way())
    await waitFor(() => expect(addresses).toHaveLength(1))
    expect(addresses[0]?.searchParams.get('redirect_to')).toBe(`${location.origin}/admin/login`)
  })
})

describe('back from the other service', () => {
  test('the code is exchanged once and leaves the address, and one is where one wanted to go', async () => {
    const answer = deferred<Response>()
    const api = server(() => answer.promise)
    captureRedirects()
    const before = renderApp('/?page=2&pageSize=2#q=rossi', api, { signedIn: false })
    await before.user.click(await way())
    await screen.findByRole('button', { name: 'Un momento...' })
    before.unmount()

    handleCallback('/login?code=right-once', api)
    await waitFor(() => expect(exchanges(api)).toHaveLength(1))
    expect(location.pathname + location.search).toBe('/login')
    answer.resolve(Response.json(byOther))
    await waitFor(() => expect(location.pathname + location.search).toBe('/?page=2&pageSize=2'))
    expect(location.hash).toBe('#q=rossi')
    expect(exchanges(api)).toMatchObject([
      { body: { auth_code: 'right-once', code_verifier: 'a-verifier' } },
    ])
    expect(localStorage.getItem(storageKeys.pharmacy.session)).toContain(byOther.access_token)
  })

  test('an administrator comes to the administration', async () => {
    const session = sessionOf(administrator.id, { method: 'oauth' })
    handleCallback(
      '/admin/login?code=administrator',
      server(() => Response.json(session)),
      `${storageKeys.admin.session}-code-verifier`,
    )
    expect(await screen.findByRole('heading', { name: 'Dashboard amministratori' })).toBeDefined()
    expect(localStorage.getItem(storageKeys.pharmacy.session)).toBeNull()
  })

  test('who was signed in before is signed out, and not left behind', async () => {
    const other = sessionOf('0b0a3f5e-6d0c-4d43-8d6e-9a3c8a1c7b11')
    storeSession('pharmacy', other)
    const api = server()
    handleCallback('/login?code=another', api)
    expect(await screen.findByText('Cliente 3')).toBeDefined()
    expect(api.requests.find(({ path }) => path.startsWith('/auth/v1/logout'))).toMatchObject({
      path: '/auth/v1/logout?scope=local',
      bearer: `Bearer ${other.access_token}`,
    })
  })

  test.each([
    ['?CODE#CODE', 'access_denied', /^Hai annullato la richiesta/],
    ['#CODE', 'bad_oauth_state', /^L'accesso non si è concluso/],
  ])('a refusal (%s, %s) is said, and leaves the address', async (where, code, text) => {
    const refusal = `error=server_error&error_code=${code}&error_description=x`
    handleCallback(`/login${where.replaceAll('CODE', refusal)}`)
    expect((await screen.findByRole('alert')).textContent).toMatch(text)
    expect(location.pathname + location.search + location.hash).toBe('/login')
    expect(await way()).toBeDefined()
  })

  test.each([
    ['worthless', () => authError(404, 'flow_state_not_found'), /^L'accesso non si è concluso/],
    ['too-many', () => authError(429, 'over_request_rate_limit', { retryAfter: 20 }), /20 secondi/],
    ['offline', () => Promise.reject(new TypeError('fetch failed')), /^Il server non risponde/],
  ])('a code that cannot be exchanged (%s) is said', async (code, answer, text) => {
    handleCallback(`/login?code=${code}`, server(answer))
    expect((await screen.findByRole('alert')).textContent).toMatch(text)
    expect(location.search).toBe('')
    allowPrinted(/fetch failed/)
  })

  test('a code that was asked for in another browser is not even sent', async () => {
    const api = server()
    renderApp('/login?code=not-mine', api, { signedIn: false })
    expect((await screen.findByRole('alert')).textContent).toMatch(/^L'accesso non si è concluso/)
    expect(exchanges(api)).toEqual([])
  })

  test('a refusal does not take the page from who is signed in, and is said there', async () => {
    storeSession()
    handleCallback('/login?error=access_denied&error_code=access_denied')
    expect(await screen.findByText('Cliente 3')).toBeDefined()
    expect(await screen.findByText(/^Hai annullato la richiesta/)).toBeDefined()
  })
})

test('the link of a mail asks for no proof, so that it can be opened in another browser', async () => {
  const api = server().auth('POST', '/recover', () => Response.json({}))
  const { user } = renderApp('/login', api, { signedIn: false })
  fill(await screen.findByLabelText('Email'), 'farmacia@example.it')
  await user.click(screen.getByRole('button', { name: 'Password dimenticata?' }))
  await screen.findByText(/tra poco riceverai un'email/)
  const asked = api.requests.find(({ path }) => path.startsWith('/auth/v1/recover'))
  expect(asked?.body).toEqual({
    email: 'farmacia@example.it',
    gotrue_meta_security: {},
  })
})
