import { listAccountSessions } from '@bancone/contract/account'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountServer, openAccount, section } from '../../../test/account.ts'
import { authError } from '../../../test/auth-error.ts'
import { focused } from '../../../test/focused.ts'

const OLD = 'la-password-di-prima'
const GOOD = 'zattera-melograno-vento-38'

async function open(server = accountServer()) {
  const view = openAccount(server)
  const part = await section('Password')
  const text = (label: string) => part.getByLabelText<HTMLInputElement>(label)
  return { server, part, text, ...view }
}

function changes({ api }: ReturnType<typeof accountServer>) {
  return api.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body)
}

test('it is changed with the one there is, and the devices are read again', async () => {
  const { server, part, text, user, container } = await open()
  const read = () =>
    server.api.requests.filter(({ path }) => path === listAccountSessions.path).length
  const before = read()
  expect(text('Password attuale').autocomplete).toBe('current-password')
  expect(text('Nuova password').autocomplete).toBe('new-password')
  const username = container.querySelector<HTMLInputElement>('input[autocomplete="username"]')
  expect([username?.value, username?.hidden]).toEqual([server.account.email, true])
  expect(part.getByText(/tutti gli altri dispositivi escono/)).toBeDefined()

  await user.type(text('Password attuale'), OLD)
  await user.type(text('Nuova password'), GOOD)
  expect(await part.findByText(/Ottima|Buona/)).toBeDefined()
  await user.type(text('Ripeti la nuova password'), `${GOOD}{Enter}`)
  expect(await screen.findByText('Password aggiornata')).toBeDefined()
  expect(changes(server)).toEqual([{ password: GOOD, current_password: OLD }])
  const fields = ['Password attuale', 'Nuova password', 'Ripeti la nuova password']
  expect(fields.map((label) => text(label).value)).toEqual(['', '', ''])
  expect(read()).toBeGreaterThan(before)
})

test('what is missing, short or different is said beside its field, and nothing is sent', async () => {
  const { server, part, text, user } = await open()
  await user.click(part.getByRole('button', { name: 'Cambia la password' }))
  expect(await part.findByText('Scrivi la password attuale.')).toBeDefined()
  expect(part.getByText('Scegli una password.')).toBeDefined()
  await focused(text('Password attuale'))
  await user.type(text('Nuova password'), 'corta')
  await user.type(text('Ripeti la nuova password'), 'altra{Enter}')
  expect(
    await part.findByText('La password deve avere almeno 10 caratteri.', { selector: '[role]' }),
  ).toBeDefined()
  expect(part.getByText('Le due password non sono uguali.')).toBeDefined()
  expect(changes(server)).toEqual([])
})

test.each([
  ['current_password_invalid', 400, 'Password attuale', 'La password attuale non è corretta.'],
  ['same_password', 422, 'Nuova password', 'È la password che usi già: scegline una diversa.'],
])(
  '%s is said beside its field, where nothing typed is lost',
  async (code, status, label, said) => {
    const server = accountServer()
    server.api.auth('PUT', '/user', () => authError(status, code))
    const { part, text, user } = await open(server)
    await user.type(text('Password attuale'), OLD)
    await user.type(text('Nuova password'), GOOD)
    await user.type(text('Ripeti la nuova password'), `${GOOD}{Enter}`)
    expect(await part.findByText(said)).toBeDefined()
    await focused(text(label))
    expect([text('Password attuale').value, text('Nuova password').value]).toEqual([OLD, GOOD])
  },
)

test('who forgot it gets a code by mail, and keeps what was typed', async () => {
  const { server, part, text, user } = await open()
  await user.type(text('Nuova password'), GOOD)
  await user.click(
    part.getByRole('button', { name: 'Non ricordi la password attuale? Ricevi un codice' }),
  )
  const code = await part.findByLabelText<HTMLInputElement>('Codice ricevuto per email')
  await focused(code)
  expect(part.getByText(server.account.email)).toBeDefined()
  expect(text('Nuova password').value).toBe(GOOD)

  server.api.auth('PUT', '/user', () => authError(422, 'reauthentication_not_valid'))
  await user.type(code, ' 123456 ')
  await user.type(text('Ripeti la nuova password'), `${GOOD}{Enter}`)
  expect(await part.findByText(/Il codice è scaduto o non è corretto/)).toBeDefined()
  expect(changes(server)).toEqual([{ password: GOOD, nonce: '123456' }])

  await user.click(part.getByRole('button', { name: 'Usa la password attuale' }))
  expect(text('Password attuale').value).toBe('')
})

test('a code that cannot be sent is said, and the password can still be used', async () => {
  const server = accountServer()
  server.api.auth('GET', '/reauthenticate', () =>
    authError(429, 'over_email_send_rate_limit', { retryAfter: 50 }),
  )
  const { part, text, user } = await open(server)
  await user.click(part.getByRole('button', { name: /Ricevi un codice/ }))
  expect((await part.findByRole('alert')).textContent).toBe(
    "Un'email è già stata chiesta da poco. Riprova tra 50 secondi.",
  )
  expect(text('Password attuale')).toBeDefined()
})

test('the last answer is the one that is read', async () => {
  const server = accountServer()
  server.api.auth('PUT', '/user', () =>
    authError(429, 'over_request_rate_limit', { retryAfter: 840 }),
  )
  server.api.auth('GET', '/reauthenticate', () =>
    authError(429, 'over_email_send_rate_limit', { retryAfter: 50 }),
  )
  const { part, text, user } = await open(server)
  await user.type(text('Password attuale'), OLD)
  await user.type(text('Nuova password'), GOOD)
  await user.type(text('Ripeti la nuova password'), `${GOOD}{Enter}`)
  expect(await part.findByText('Troppi tentativi. Riprova tra 14 minuti.')).toBeDefined()
  await user.click(part.getByRole('button', { name: /Ricevi un codice/ }))
  expect(await part.findByText(/Un'email è già stata chiesta/)).toBeDefined()
  expect(part.queryByText(/Troppi tentativi/)).toBeNull()
  await user.click(part.getByRole('button', { name: 'Cambia la password' }))
  expect(await part.findByText(/Troppi tentativi/)).toBeDefined()
  expect(part.queryByText(/Un'email è già stata chiesta/)).toBeNull()
})
