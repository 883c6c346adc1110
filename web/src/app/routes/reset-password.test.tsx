import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { authError } from '../../../test/auth-error.ts'
import { fill } from '../../../test/fill.ts'
import { orders, sessionOf, userId } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { allowPrinted } from '../../../test/printed.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { deferred } from '../../../test/stub-api.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

const GOOD = 'zattera-melograno-vento-38'
const fromMail = sessionOf(userId, { method: 'otp' })

const first = () => screen.findByLabelText<HTMLInputElement>('Nuova password')
const second = () => screen.getByLabelText<HTMLInputElement>('Ripeti la password')
const save = () => screen.getByRole('button', { name: 'Salva la nuova password' })
const alerts = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)

/** The page, opened by a link from a mail. */
function open(
  put: () => Response | Promise<Response> = () => Response.json(fromMail.user),
  address = '/reset-password?type=recovery',
) {
  const api = serverWith(orders(1)).auth('PUT', '/user', put)
  storeSession('pharmacy', fromMail)
  return { api, ...renderApp(address, api, { signedIn: false }) }
}

async function choose(password: string, repeated = password) {
  fill(await first(), password)
  fill(second(), repeated)
  fireEvent.click(save())
}

test('the fields are labelled, for password managers too, and say whose password it is', async () => {
  const { container } = open()
  for (const field of [await first(), second()]) {
    expect([field.type, field.autocomplete, field.required]).toEqual([
      'password',
      'new-password',
      true,
    ])
  }
  expect(screen.getByRole('heading', { name: 'Scegli una nuova password' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Mostra la password' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Mostra la password ripetuta' })).toBeDefined()
  expect(screen.getByText('farmacia@example.it')).toBeDefined()
  const username = container.querySelector<HTMLInputElement>('input[autocomplete="username"]')
  expect([username?.value, username?.hidden]).toEqual(['farmacia@example.it', true])
})

test('a colleague who was invited chooses a first password, and is told whose orders they are', async () => {
  open(undefined, '/reset-password?type=invite')
  expect(await screen.findByRole('heading', { name: 'Scegli la tua password' })).toBeDefined()
  expect(await screen.findByText('Farmacia San Carlo')).toBeDefined()
})

test('an administrator is not asked for a pharmacy', async () => {
  const api = serverWith([])
  storeSession('admin', fromMail)
  renderApp('/reset-password?type=invite&area=admin', api, { signedIn: false })
  await first()
  expect(api.requests).toEqual([])
})

describe('who has a second factor', () => {
  const half = sessionOf(userId, { method: 'otp', apps: ['Telefono'] })
  const whole = sessionOf(userId, { method: 'otp', apps: ['Telefono'], elevated: true })

  test('shows it before the new password, which is saved with the better session', async () => {
    const api = serverWith(orders(1))
      .auth('PUT', '/user', () => Response.json(whole.user))
      .auth('POST', '/factors/[^/]+/challenge', () => Response.json({ id: 'one', type: 'totp' }))
      .auth('POST', '/factors/[^/]+/verify', () => Response.json(whole))
    storeSession('pharmacy', half)
    renderApp('/reset-password?type=recovery', api, { signedIn: false })
    expect(await screen.findByText(/^Prima di scegliere la nuova password/)).toBeDefined()
    expect(screen.queryByLabelText('Nuova password')).toBeNull()
    fill(screen.getByLabelText('Codice'), '123456')
    await choose(GOOD)
    expect(await screen.findByText('Cliente 1')).toBeDefined()
    expect(api.requests.filter(({ method }) => method === 'PUT')).toMatchObject([
      { body: { password: GOOD }, bearer: `Bearer ${whole.access_token}` },
    ])
  })

  test('is asked for it also where this browser did not know of it', async () => {
    const { api } = open(() => authError(401, 'insufficient_aal'))
    api.auth('POST', '/token', () => Response.json(half))
    await choose(GOOD)
    expect(await screen.findByText(/^Prima di scegliere la nuova password/)).toBeDefined()
  })
})

test('a saved password leads into the application, where it is said', async () => {
  const answer = deferred<Response>()
  const { api, user } = open(() => answer.promise)
  await choose(GOOD)
  const busy = await screen.findByRole('button', { name: 'Salvataggio in corso...' })
  expect(inactive(busy)).toBe(true)
  await user.click(busy)
  answer.resolve(Response.json(fromMail.user))
  expect(await screen.findByText('Cliente 1')).toBeDefined()
  expect(await screen.findByText('Password aggiornata.')).toBeDefined()
  expect(location.pathname + location.search).toBe('/')
  const sent = api.requests.filter(({ method }) => method === 'PUT')
  expect(sent).toMatchObject([
    { body: { password: GOOD }, bearer: `Bearer ${fromMail.access_token}` },
  ])
})

test('what cannot be a new password is refused beside the fields, before anything is sent', async () => {
  const { api } = open()
  const SHORT = 'La password deve avere almeno 10 caratteri.'
  const OTHER = 'Le due password non sono uguali.'
  for (const [password, repeated, expected] of [
    ['', '', ['Scegli una password.', 'Ripeti la password.']],
    ['corta', 'corta', [SHORT]],
    [GOOD, 'un’altra cosa', [OTHER]],
    ['corta', 'altra', [SHORT, OTHER]],
    ['perché'.repeat(12), 'perché'.repeat(12), ['troppo lunga: usa al massimo 72']],
  ] as const) {
    await choose(password, repeated)
    await waitFor(() => {
      expect(alerts().map((text, at) => text?.includes(expected[at] ?? '?'))).toEqual(
        expected.map(() => true),
      )
    })
    const [wrong] = [await first(), second()].filter(
      (field) => field.getAttribute('aria-invalid') === 'true',
    )
    expect(document.activeElement).toBe(wrong)
    expect(wrong?.getAttribute('aria-describedby')).toContain(screen.getAllByRole('alert')[0]?.id)
  }
  // Mending the first password mends what was said of the second.
  await choose(`${GOOD}x`, GOOD)
  expect(await screen.findByText(OTHER)).toBeDefined()
  fill(await first(), GOOD)
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  expect(api.requests.filter(({ method }) => method === 'PUT')).toEqual([])
})

test('how strong it is comes while it is typed, in a word, with what weakens it', async () => {
  open()
  const rule = () => screen.getByText('Almeno 10 caratteri')
  await first()
  expect(screen.queryByText('Robustezza:')).toBeNull()
  fill(await first(), 'farmacia')
  expect(await screen.findByText('Debole')).toBeDefined()
  expect(
    screen.getByText('La tua email e i nomi di questo sito sono facili da indovinare.'),
  ).toBeDefined()
  expect(rule().className).toContain('text-muted')
  fill(await first(), GOOD)
  expect((await screen.findByText('Ottima')).closest('[role]')?.getAttribute('role')).toBe('status')
  expect(rule().className).toContain('text-confirmed')
  expect((await first()).getAttribute('aria-describedby')).toContain('robustezza')
})

test('what the server refuses is said beside the field, and nothing that was typed is lost', async () => {
  const { api } = open()
  const weak = (reason: string) => () =>
    authError(422, 'weak_password', { weak_password: { reasons: [reason] } })
  for (const [put, text] of [
    [weak('length'), /almeno 10 caratteri/],
    [weak('characters'), /più caratteri diversi/],
    [weak('pwned'), /tra le password più usate/],
    [() => authError(422, 'same_password'), /che usi già/],
    [() => authError(400, 'validation_failed'), /troppo lunga/],
  ] as const) {
    api.auth('PUT', '/user', put)
    await choose(GOOD)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(text))
    const described = (await first()).getAttribute('aria-describedby')
    expect(described).toContain(screen.getByRole('alert').id)
    await focused(await first())
    expect([(await first()).value, second().value]).toEqual([GOOD, GOOD])
  }
  for (const [put, text] of [
    [() => Promise.reject(new TypeError('fetch failed')), /^Il server non risponde\./],
    [() => authError(503, 'request_timeout'), /^Il servizio non è disponibile/],
    [() => authError(429, 'over_request_rate_limit'), /^Troppi tentativi\./],
  ] as const) {
    api.auth('PUT', '/user', put)
    await choose(GOOD)
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(text))
    expect([(await first()).value, second().value]).toEqual([GOOD, GOOD])
    await waitFor(() => expect(inactive(save())).toBe(false))
  }
  allowPrinted(/TypeError: fetch failed/)
})

describe('a session that can no longer do it asks for a new link', () => {
  test.each([
    ['session_not_found', 403],
    ['bad_jwt', 403],
    ['no_authorization', 401],
  ])('%s', async (code, status) => {
    const { user } = open(() => authError(status, code))
    await choose(GOOD)
    const heading = await screen.findByRole('heading', { name: 'Serve un link' })
    await focused(heading)
    expect(screen.getByText(/^La sessione aperta dal link è scaduta/)).toBeDefined()
    expect(localStorage.getItem(storageKeys.pharmacy.session)).toBeNull()
    await user.click(screen.getByRole('link', { name: "Vai all'accesso" }))
    await focused(await screen.findByLabelText('Email'))
  })

  test('reauthentication_needed', async () => {
    open(() => authError(400, 'reauthentication_needed'))
    await choose(GOOD)
    expect(await screen.findByText(/^È passato troppo tempo/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Inviami il link' })).toBeDefined()
  })
})
