import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { authError } from '../../../test/auth-error.ts'
import { orders, sessionOf, userId } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { allowPrinted } from '../../../test/printed.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { later } from '../../../test/stub-api.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

const GOOD = 'zattera-melograno-vento-38'
const fromMail = sessionOf(userId, { method: 'otp' })

const first = () => screen.findByLabelText<HTMLInputElement>('Nuova password')
const second = () => screen.getByLabelText<HTMLInputElement>('Ripeti la password')
const save = () => screen.getByRole('button', { name: 'Salva la nuova password' })
const alerts = () => screen.getAllByRole('alert').map(({ textContent }) => textContent)

/** The page, for whoever came by a link from a mail. */
function open(
  put: () => Response | Promise<Response> = () => Response.json(fromMail.user),
  address = '/reset-password?type=recovery',
) {
  const api = serverWith(orders(1)).auth('PUT', '/user', put)
  storeSession('pharmacy', fromMail)
  return { api, ...renderApp(address, api, { signedIn: false }) }
}

async function fill(user: UserEvent, password: string, repeated = password) {
  await user.clear(await first())
  await user.type(await first(), password)
  await user.clear(second())
  await user.type(second(), repeated)
  await user.click(save())
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
  expect(screen.getByText('farmacia@example.it')).toBeDefined()
  const username = container.querySelector<HTMLInputElement>('input[autocomplete="username"]')
  expect([username?.value, username?.hidden]).toEqual(['farmacia@example.it', true])
})

test('whoever was invited chooses their first password', async () => {
  open(undefined, '/reset-password?type=invite')
  expect(await screen.findByRole('heading', { name: 'Scegli la tua password' })).toBeDefined()
})

test('a colleague is told whose orders they are invited to', async () => {
  open(undefined, '/reset-password?type=invite')
  expect(await screen.findByText('Farmacia San Carlo')).toBeDefined()
})

test('of an administrator nobody asks for a pharmacy', async () => {
  const api = serverWith([])
  storeSession('admin', fromMail)
  renderApp('/reset-password?type=invite&area=admin', api, { signedIn: false })
  await first()
  expect(api.requests).toEqual([])
})

describe('who has a second factor', () => {
  const half = sessionOf(userId, { method: 'otp', apps: ['Telefono'] })
  const whole = sessionOf(userId, { method: 'otp', apps: ['Telefono'], raised: true })

  test('shows it before the new password, which is saved with the better session', async () => {
    const api = serverWith(orders(1))
      .auth('PUT', '/user', () => Response.json(whole.user))
      .auth('POST', '/factors/[^/]+/challenge', () => Response.json({ id: 'one', type: 'totp' }))
      .auth('POST', '/factors/[^/]+/verify', () => Response.json(whole))
    storeSession('pharmacy', half)
    const { user } = renderApp('/reset-password?type=recovery', api, { signedIn: false })
    expect(await screen.findByText(/^Prima di scegliere la nuova password/)).toBeDefined()
    expect(screen.queryByLabelText('Nuova password')).toBeNull()
    await user.type(screen.getByLabelText('Codice'), '123456')
    await fill(user, GOOD)
    expect(await screen.findByText('Cliente 1')).toBeDefined()
    expect(api.requests.filter(({ method }) => method === 'PUT')).toMatchObject([
      { body: { password: GOOD }, bearer: `Bearer ${whole.access_token}` },
    ])
  })

  test('is asked for it also where this browser did not know of it', async () => {
    const { api, user } = open(() => authError(401, 'insufficient_aal'))
    api.auth('POST', '/token', () => Response.json(half))
    await fill(user, GOOD)
    expect(await screen.findByText(/^Prima di scegliere la nuova password/)).toBeDefined()
  })

  test('or one of the recovery codes', async () => {
    const api = serverWith(orders(1))
      .auth('POST', '/factors/recovery-codes/verify', () => Response.json(whole))
      .auth('GET', '/factors/recovery-codes', () => Response.json({ total: 10, remaining: 9 }))
    storeSession('pharmacy', half)
    const { user } = renderApp('/reset-password?type=recovery', api, { signedIn: false })
    await user.click(await screen.findByRole('button', { name: 'Usa un codice di recupero' }))
    await user.type(await screen.findByLabelText('Codice di recupero'), 'k7w2m-9qhtx{Enter}')
    await user.click(await screen.findByRole('button', { name: 'Continua' }))
    expect(await first()).toBeDefined()
  })
})

test('each password can be shown', async () => {
  const { user } = open()
  await first()
  await user.click(screen.getByRole('button', { name: 'Mostra la password' }))
  expect([(await first()).type, second().type]).toEqual(['text', 'password'])
  await user.click(screen.getByRole('button', { name: 'Mostra la password ripetuta' }))
  expect(second().type).toBe('text')
})

test('a saved password leads into the application, where it is said', async () => {
  const answer = later<Response>()
  const { api, user } = open(() => answer.promise)
  await fill(user, GOOD)
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

describe('before anything is sent', () => {
  test.each([
    ['', '', ['Scegli una password.', 'Ripeti la password.']],
    ['corta', 'corta', ['La password deve avere almeno 10 caratteri.']],
    [GOOD, 'un’altra cosa', ['Le due password non sono uguali.']],
    [
      'corta',
      'altra',
      ['La password deve avere almeno 10 caratteri.', 'Le due password non sono uguali.'],
    ],
    ['perché'.repeat(12), 'perché'.repeat(12), ['troppo lunga: usa al massimo 72']],
  ])('%j and %j are refused beside the fields', async (password, repeated, expected) => {
    const { api, user } = open()
    await first()
    if (password) await user.type(await first(), password)
    if (repeated) await user.type(second(), repeated)
    await user.click(save())
    await waitFor(() => {
      expect(alerts().map((text, at) => text?.includes(expected[at] ?? '?'))).toEqual(
        expected.map(() => true),
      )
    })
    const wrong = [await first(), second()].filter(
      (field) => field.getAttribute('aria-invalid') === 'true',
    )
    expect(document.activeElement).toBe(wrong[0])
    expect(wrong[0]?.getAttribute('aria-describedby')).toContain(
      screen.getAllByRole('alert')[0]?.id,
    )
    expect(api.requests.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test('mending the first password mends what was said of the second', async () => {
    const { user } = open()
    await fill(user, `${GOOD}x`, GOOD)
    expect(await screen.findByText('Le due password non sono uguali.')).toBeDefined()
    await user.type(await first(), '{Backspace}')
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  })
})

test('how strong it is comes while it is typed, in a word, with what weakens it', async () => {
  const { user } = open()
  const rule = () => screen.getByText('Almeno 10 caratteri')
  await first()
  expect(screen.queryByText('Robustezza:')).toBeNull()
  await user.type(await first(), 'farmacia')
  expect(await screen.findByText('Debole')).toBeDefined()
  expect(
    screen.getByText('La tua email e i nomi di questo sito sono facili da indovinare.'),
  ).toBeDefined()
  expect(rule().className).toContain('text-muted')
  await user.clear(await first())
  await user.type(await first(), GOOD)
  expect((await screen.findByText('Ottima')).closest('[role]')?.getAttribute('role')).toBe('status')
  expect(rule().className).toContain('text-confirmed')
  expect((await first()).getAttribute('aria-describedby')).toContain('robustezza')
})

describe('what the server refuses is said beside the field', () => {
  const weak = (reason: string) => () =>
    authError(422, 'weak_password', { weak_password: { reasons: [reason] } })

  test.each([
    ['length', weak('length'), /almeno 10 caratteri/],
    ['characters', weak('characters'), /più caratteri diversi/],
    ['pwned', weak('pwned'), /tra le password più usate/],
    ['the same', () => authError(422, 'same_password'), /che usi già/],
    ['too long', () => authError(400, 'validation_failed'), /troppo lunga/],
  ])('%s', async (_case, put, text) => {
    const { user } = open(put)
    await fill(user, GOOD)
    const alert = await screen.findByRole('alert')
    expect(alert.textContent).toMatch(text)
    expect((await first()).getAttribute('aria-describedby')).toContain(alert.id)
    await focused(await first())
    expect([(await first()).value, second().value]).toEqual([GOOD, GOOD])
  })
})

test.each([
  ['down', () => Promise.reject(new TypeError('fetch failed')), /^Il server non risponde\./],
  ['busy', () => authError(503, 'request_timeout'), /^Il servizio non è disponibile/],
  ['asked too often', () => authError(429, 'over_request_rate_limit'), /^Troppi tentativi\./],
])('with the server %s nothing is lost', async (_case, put, text) => {
  const { user } = open(put)
  await fill(user, GOOD)
  expect((await screen.findByRole('alert')).textContent).toMatch(text)
  expect([(await first()).value, second().value]).toEqual([GOOD, GOOD])
  expect(inactive(save())).toBe(false)
  allowPrinted(/TypeError: fetch failed/)
})

describe('a session that can no longer do it asks for a new link', () => {
  test.each([
    ['session_not_found', 403],
    ['bad_jwt', 403],
    ['no_authorization', 401],
  ])('%s', async (code, status) => {
    const { user } = open(() => authError(status, code))
    await fill(user, GOOD)
    const heading = await screen.findByRole('heading', { name: 'Serve un link' })
    await focused(heading)
    expect(screen.getByText(/^La sessione aperta dal link è scaduta/)).toBeDefined()
    expect(localStorage.getItem(storageKeys.pharmacy.session)).toBeNull()
    await user.click(screen.getByRole('link', { name: "Vai all'accesso" }))
    await focused(await screen.findByLabelText('Email'))
  })

  test('reauthentication_needed', async () => {
    const { user } = open(() => authError(400, 'reauthentication_needed'))
    await fill(user, GOOD)
    expect(await screen.findByText(/^È passato troppo tempo/)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Inviami il link' })).toBeDefined()
  })
})
