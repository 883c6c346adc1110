import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { authError } from '../../../test/auth-error.ts'
import { fill } from '../../../test/fill.ts'
import { orders, sessionOf } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { allowPrinted } from '../../../test/printed.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { deferred, type StubApi } from '../../../test/stub-api.ts'

const email = () => screen.findByLabelText<HTMLInputElement>('Email')
const password = () => screen.getByLabelText<HTMLInputElement>('Password')
const submit = () => screen.getByRole('button', { name: 'Accedi' })
const forgot = () => screen.getByRole('button', { name: 'Password dimenticata?' })

/** What the authentication service was asked. */
function asked({ requests }: StubApi) {
  return requests.map(({ path }) => path).filter((path) => path.startsWith('/auth/'))
}

function open(path = '/login', api = serverWith(orders(3))) {
  return { api, ...renderApp(path, api, { signedIn: false }) }
}

test('the fields are labelled and ready for password managers and phones', async () => {
  open()
  const field = await email()
  expect([field.type, field.inputMode, field.autocomplete, field.required]).toEqual([
    'email',
    'email',
    'username',
    true,
  ])
  expect([password().type, password().autocomplete]).toEqual(['password', 'current-password'])
  expect(screen.getByRole('heading', { level: 1, name: 'Accedi' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'informativa sulla privacy' })).toBeDefined()
})

test('both fields are required, and nothing is sent without them', async () => {
  const { user, api } = open()
  await email()
  await user.click(submit())
  expect((await screen.findAllByRole('alert')).map((alert) => alert.textContent)).toEqual([
    'Inserisci la tua email.',
    'Inserisci la password.',
  ])
  expect(asked(api)).toEqual([])
})

test('the password can be shown', async () => {
  const { user } = open()
  await email()
  await user.click(screen.getByRole('button', { name: 'Mostra la password' }))
  expect(password().type).toBe('text')
  await user.click(screen.getByRole('button', { name: 'Nascondi la password' }))
  expect(password().type).toBe('password')
})

test('the right password leads back to where the user wanted to go', async () => {
  const answer = deferred<Response>()
  const api = serverWith(orders(3)).auth('POST', '/token', () => answer.promise)
  const { user } = open('/?page=2&pageSize=2', api)
  fill(await email(), 'farmacia@example.it')
  expect(location.pathname).toBe('/login')
  fill(password(), 'segreta')
  await user.keyboard('{Enter}')
  const busy = await screen.findByRole('button', { name: 'Accesso in corso...' })
  expect(inactive(busy)).toBe(true)
  const before = asked(api).length
  await user.keyboard('{Enter}')
  await user.click(busy)
  expect([asked(api).length, document.activeElement]).toEqual([before, busy])
  answer.resolve(Response.json(sessionOf()))
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(location.pathname + location.search).toBe('/?page=2&pageSize=2')
})

test('a failure is told beside what was typed', async () => {
  const { api } = open('/login', serverWith([]))
  const tooMany = (how: { retryAfter?: number }) => () =>
    authError(429, 'over_request_rate_limit', how)
  for (const [reply, text] of [
    [
      () => authError(400, 'invalid_credentials'),
      /^Credenziali non valide\. Riprova per favore\.$/,
    ],
    [tooMany({}), /^Troppi tentativi\. Attendi/],
    [tooMany({ retryAfter: 40 }), /^Troppi tentativi\. Riprova tra 40 secondi\.$/],
    [() => authError(400, 'user_banned'), /disattivato/],
    [() => authError(503, 'request_timeout'), /^Il servizio non è disponibile in questo/],
    [() => Promise.reject(new TypeError('fetch failed')), /^Il server non risponde\. Controlla la/],
  ] as const) {
    api.auth('POST', '/token', reply)
    fill(await email(), 'farmacia@example.it')
    fill(password(), 'sbagliata')
    fireEvent.click(submit())
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(text))
    await waitFor(() => expect(inactive(submit())).toBe(false))
    expect([(await email()).value, password().value]).toEqual(['farmacia@example.it', 'sbagliata'])
    expect(document.activeElement).toBe(password())
  }
  // The authentication client prints every call that did not reach the server.
  allowPrinted(/TypeError: fetch failed/)
})

test('a forgotten password needs the e-mail', async () => {
  const { user, api } = open()
  await email()
  await user.click(forgot())
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Inserisci la tua email per richiedere il reset della password.',
  )
  expect(document.activeElement).toBe(await email())
  expect(asked(api)).toEqual([])
})

test('the recovery mail is asked for, with the page it leads to', async () => {
  const answer = deferred<Response>()
  const api = serverWith([]).auth('POST', '/recover', () => answer.promise)
  const { user } = open('/login', api)
  fill(await email(), 'farmacia@example.it')
  await user.click(forgot())
  expect(await screen.findByRole('button', { name: 'Invio in corso...' })).toBeDefined()
  answer.resolve(Response.json({}))
  expect((await screen.findByRole('status')).textContent).toMatch(/tra poco riceverai un'email/)
  const target = encodeURIComponent(`${location.origin}/reset-password?type=recovery`)
  expect(asked(api)).toEqual([`/auth/v1/recover?redirect_to=${target}`])
})

test('a refused recovery mail is told', async () => {
  const api = serverWith([]).auth('POST', '/recover', () => authError(404, 'not_found'))
  const { user } = open('/login', api)
  fill(await email(), 'farmacia@example.it')
  await user.click(forgot())
  expect((await screen.findByRole('alert')).textContent).toMatch(
    /Non è stato possibile inviare l'email/,
  )
})
