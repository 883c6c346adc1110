import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { authError } from '../../test/auth-error.ts'
import { fill, signIn } from '../../test/fill.ts'
import { orders, sessionOf, userId } from '../../test/fixtures.ts'
import { focused } from '../../test/focused.ts'
import { inactive } from '../../test/inactive.ts'
import { allowPrinted } from '../../test/printed.ts'
import { renderApp, serverWith, storeSession } from '../../test/render-app.tsx'
import { deferred, type StubApi } from '../../test/stub-api.ts'
import { storageKeys } from '../lib/storage-keys.ts'

const half = sessionOf(userId, { apps: ['Telefono'] })
const whole = sessionOf(userId, { apps: ['Telefono'], elevated: true })
const KEY = storageKeys.pharmacy.session

const right = () => Response.json(whole)
const wrong = () => authError(422, 'mfa_verification_failed')

/** @param verify what the code of the app comes to */
function server(verify: () => Response | Promise<Response> = right) {
  return serverWith(orders(3))
    .auth('POST', '/token', () => Response.json(half))
    .auth('POST', '/factors/[^/]+/challenge', () =>
      Response.json({ id: 'challenge', type: 'totp', expires_at: 1 }),
    )
    .auth('POST', '/factors/[^/]+/verify', verify)
    .auth('GET', '/factors/recovery-codes', () =>
      Response.json({ total: 10, remaining: 7, created_at: '2026-01-01T00:00:00Z' }),
    )
    .auth('POST', '/factors/recovery-codes/verify', right)
}

const step = () => screen.findByRole('heading', { name: 'Verifica in due passaggi' })
const field = () => screen.getByLabelText<HTMLInputElement>('Codice')
const login = () => screen.findByRole('heading', { name: 'Accedi' })

/** The page after the password of an account with an authenticator app. */
async function enter(api: StubApi, path = '/login') {
  const view = renderApp(path, api, { signedIn: false })
  await signIn()
  await step()
  return view
}

function tries(api: StubApi) {
  return api.requests.filter(({ path }) => path.endsWith('/verify'))
}

describe('after the password', () => {
  test('the code of the app is asked for, in a field made for it', async () => {
    await enter(server())
    await focused(field())
    expect([field().inputMode, field().autocomplete, field().required]).toEqual([
      'numeric',
      'one-time-code',
      true,
    ])
    expect(screen.getByText('Stai accedendo come farmacia@example.it.')).toBeDefined()
  })

  test('it sends itself with the sixth digit, and leads to where one wanted to go', async () => {
    const api = server()
    const { user } = await enter(api, '/?page=2&pageSize=2#q=cliente')
    fill(field(), '12345')
    expect(tries(api)).toEqual([])
    await user.type(field(), '6')
    await waitFor(() => expect(location.pathname + location.search).toBe('/?page=2&pageSize=2'))
    expect(location.hash).toBe('#q=cliente')
    expect(tries(api)).toMatchObject([
      {
        path: '/auth/v1/factors/factor-Telefono/verify',
        body: { challenge_id: 'challenge', code: '123456' },
        bearer: `Bearer ${half.access_token}`,
      },
    ])
    expect(localStorage.getItem(KEY)).toContain(whole.access_token)
  })

  test("a code is pasted as the app shows it, '123 456', and sent once", async () => {
    const answer = deferred<Response>()
    const api = server(() => answer.promise)
    const { user } = await enter(api)
    await user.click(field())
    await user.paste('123 456')
    const busy = await screen.findByRole('button', { name: 'Verifica in corso...' })
    expect([field().value, inactive(busy), field().readOnly]).toEqual(['123456', true, true])
    await user.keyboard('{Enter}')
    answer.resolve(right())
    expect(await screen.findByText('Cliente 3')).toBeDefined()
    expect(tries(api)).toMatchObject([{ body: { code: '123456' } }])
  })

  test('a code that is not whole is not sent', async () => {
    const api = server()
    const { user } = await enter(api)
    fill(field(), '12a3')
    await user.keyboard('{Enter}')
    expect((await screen.findByRole('alert')).textContent).toBe(
      'Scrivi tutte le 6 cifre del codice.',
    )
    expect([field().value, tries(api).length]).toEqual(['123', 0])
  })

  test('a wrong code is said beside it, and typed over; the next one is sent', async () => {
    const answers = [wrong, right]
    const api = server(() => (answers.shift() ?? right)())
    const { user } = await enter(api)
    fill(field(), '111111')
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Il codice non è corretto/)
    expect(field().getAttribute('aria-invalid')).toBe('true')
    await waitFor(() =>
      expect([document.activeElement, field().selectionStart, field().selectionEnd]).toEqual([
        field(),
        0,
        6,
      ]),
    )
    await user.paste('222222')
    expect(await screen.findByText('Cliente 3')).toBeDefined()
    expect(tries(api)).toMatchObject([{ body: { code: '111111' } }, { body: { code: '222222' } }])
  })

  test('a refusal, or a server out of reach, is told, and loses nothing that was typed', async () => {
    const api = server()
    await enter(api)
    const tooMany = (retryAfter: number) => () =>
      authError(429, 'over_request_rate_limit', { retryAfter })
    for (const [answer, text] of [
      [tooMany(60 * 14), 'Troppi tentativi. Riprova tra 14 minuti.'],
      [tooMany(60 * 60 * 20), 'Troppi tentativi. Riprova tra 20 ore.'],
      [() => Promise.reject(new TypeError('fetch failed')), 'Il server non risponde.'],
    ] as const) {
      api.auth('POST', '/factors/[^/]+/verify', answer)
      fill(field(), '')
      fill(field(), '111111')
      await waitFor(() => expect(screen.getByRole('alert').textContent).toContain(text))
      expect(field().value).toBe('111111')
    }
    allowPrinted(/fetch failed/)
  })

  test('who has several apps says whose code it is', async () => {
    const several = sessionOf(userId, { apps: ['Telefono', 'Tablet'] })
    const api = server().auth('POST', '/token', () => Response.json(several))
    const { user } = await enter(api)
    await user.selectOptions(screen.getByLabelText('App di autenticazione'), 'Tablet')
    fill(field(), '123456')
    await waitFor(() => expect(tries(api)).toHaveLength(1))
    expect(tries(api)[0]?.path).toBe('/auth/v1/factors/factor-Tablet/verify')
  })

  test("'Esci' leads back to the password, and ends the half session", async () => {
    const api = server()
    const { user } = await enter(api, '/?page=2&pageSize=2')
    await user.click(screen.getByRole('button', { name: 'Esci' }))
    await focused(await login())
    expect(localStorage.getItem(KEY)).toBeNull()
    expect(api.requests.at(-1)).toMatchObject({
      path: '/auth/v1/logout?scope=local',
      bearer: `Bearer ${half.access_token}`,
    })
    // Where one wanted to go is still known.
    expect(window.history.state).toMatchObject({ usr: { from: '/?page=2&pageSize=2' } })
  })

  test('a session that was ended meanwhile is said to be over', async () => {
    const api = server(() => authError(403, 'session_not_found'))
    await enter(api)
    fill(field(), '123456')
    expect(await login()).toBeDefined()
    expect(screen.getByRole('status').textContent).toBe('La sessione è scaduta. Accedi di nuovo.')
    expect(localStorage.getItem(KEY)).toBeNull()
  })

  test('an app that was removed elsewhere is asked for no more', async () => {
    const api = server(() => authError(404, 'mfa_factor_not_found'))
    await enter(api)
    api.auth('POST', '/token', () => Response.json(sessionOf(userId, { lasts: 7200 })))
    fill(field(), '123456')
    expect(await screen.findByText('Cliente 3')).toBeDefined()
  })
})

describe('half a session', () => {
  test('is led to the step from any page, and back', async () => {
    const api = server()
    storeSession('pharmacy', half)
    renderApp('/offers?q=1', api, { signedIn: false })
    await step()
    expect(api.requests.filter(({ path }) => path.startsWith('/api/'))).toEqual([])
    expect(location.pathname).toBe('/login')
    fill(field(), '123456')
    await waitFor(() => expect(location.pathname + location.search).toBe('/offers?q=1'))
  })

  test('is made whole in another tab, and this one goes on', async () => {
    storeSession('pharmacy', half)
    renderApp('/?page=2&pageSize=2', server(), { signedIn: false })
    await step()
    storeSession('pharmacy', whole)
    window.dispatchEvent(new StorageEvent('storage', { key: KEY }))
    expect(await screen.findByText('Cliente 1')).toBeDefined()
  })
})

describe('who has no app at hand', () => {
  const recovery = () => screen.findByLabelText<HTMLInputElement>('Codice di recupero')

  async function lost(user: UserEvent) {
    await user.click(screen.getByRole('button', { name: 'Usa un codice di recupero' }))
    return recovery()
  }

  test('uses a recovery code, is told how many are left, and goes on', async () => {
    const api = server()
    const { user } = await enter(api, '/?page=2&pageSize=2')
    const input = await lost(user)
    await focused(input)
    fill(input, ' K7W2M-9QHTX ')
    await user.keyboard('{Enter}')
    const heading = await screen.findByRole('heading', { name: 'Codice di recupero usato' })
    await focused(heading)
    expect(screen.getByText(/^Te ne restano 7\./)).toBeDefined()
    expect(tries(api)).toMatchObject([
      {
        path: '/auth/v1/factors/recovery-codes/verify',
        body: { code: 'K7W2M-9QHTX' },
        bearer: `Bearer ${half.access_token}`,
      },
    ])
    expect(api.requests.at(-1)).toMatchObject({
      path: '/auth/v1/factors/recovery-codes',
      bearer: `Bearer ${whole.access_token}`,
    })
    await user.click(screen.getByRole('button', { name: 'Continua' }))
    expect(await screen.findByText('Cliente 1')).toBeDefined()
  })

  test.each([
    [1, /^Te ne resta uno\./],
    [0, /^Era l'ultimo/],
  ])('with %i left it is said so', async (remaining, text) => {
    const api = server().auth('GET', '/factors/recovery-codes', () =>
      Response.json({ total: 10, remaining, created_at: null }),
    )
    const { user } = await enter(api)
    fill(await lost(user), 'k7w2m9qhtx')
    await user.keyboard('{Enter}')
    expect(await screen.findByText(text)).toBeDefined()
  })

  test('goes on also when the number of codes that are left cannot be read', async () => {
    const api = server().auth('GET', '/factors/recovery-codes', () =>
      authError(503, 'request_timeout'),
    )
    const { user } = await enter(api)
    fill(await lost(user), 'k7w2m9qhtx')
    await user.keyboard('{Enter}')
    expect(await screen.findByText('Cliente 3')).toBeDefined()
  })

  test('is told why a code was refused, with what was typed still there', async () => {
    const api = server()
    const { user } = await enter(api)
    const input = await lost(user)
    for (const [answer, text] of [
      [() => authError(422, 'mfa_recovery_code_invalid'), /non è corretto, o è già stato usato/],
      [
        () => authError(429, 'over_request_rate_limit', { retryAfter: 30 }),
        /^Troppi tentativi\. Riprova tra 30 secondi\.$/,
      ],
      [() => Promise.reject(new TypeError('gone')), /^Il server non risponde/],
    ] as const) {
      api.auth('POST', '/factors/recovery-codes/verify', answer)
      fill(input, 'k7w2m-9qhty')
      await user.keyboard('{Enter}')
      await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(text))
      expect([input.value, location.pathname]).toEqual(['k7w2m-9qhty', '/login'])
      expect(localStorage.getItem(KEY)).toContain(half.access_token)
    }
  })

  test('sends nothing that is empty, and can go back to the app', async () => {
    const api = server()
    const { user } = await enter(api)
    fill(await lost(user), ' ')
    await user.keyboard('{Enter}')
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Scrivi uno dei tuoi codici/)
    expect(tries(api)).toEqual([])
    await user.click(screen.getByRole('button', { name: "Usa l'app di autenticazione" }))
    await focused(field())
  })
})
