import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountServer, openAccount, section } from '../../../test/account.ts'
import { authError } from '../../../test/auth-error.ts'
import { pharmacy } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { deferred } from '../../../test/stub-api.ts'

const person = () => section('Il tuo account')
const NEXT = 'nuova@example.it'

async function field() {
  return (await person()).findByLabelText<HTMLInputElement>('Nome e cognome')
}

test('the name that others see is changed, and the pharmacy is asked for it again', async () => {
  const server = accountServer()
  server.account.metadata = { full_name: 'Anna Esposito', theme: 'dark' }
  const { user } = openAccount(server)
  const name = await field()
  expect(name.value).toBe('Anna Esposito')
  const save = (await person()).getByRole('button', { name: 'Salva il nome' })
  expect(inactive(save)).toBe(true)
  const before = server.api.requests.filter(({ path }) => path === getOwnPharmacy.path).length
  await user.clear(name)
  await user.type(name, ' Anna Russo {Enter}')
  expect(await screen.findByText('Nome salvato')).toBeDefined()
  expect(server.account.metadata).toEqual({ full_name: 'Anna Russo', theme: 'dark' })
  expect((await field()).value).toBe('Anna Russo')
  expect(
    server.api.requests.filter(({ path }) => path === getOwnPharmacy.path).length,
  ).toBeGreaterThan(before)
})

test('who was named by others begins with that name, and can be too long for it', async () => {
  const server = accountServer()
  server.api.on(getOwnPharmacy, () => ({ ...pharmacy, personName: 'Collega' }))
  const { user } = openAccount(server)
  expect(await screen.findByDisplayValue('Collega')).toBeDefined()
  await user.type(await field(), `${'a'.repeat(80)}{Enter}`)
  expect(await screen.findByText('Al massimo 80 caratteri.')).toBeDefined()
  expect(server.api.requests.some(({ method }) => method === 'PUT')).toBe(false)
})

test('who empties the name is called as before, and reads so', async () => {
  const server = accountServer()
  server.api.on(getOwnPharmacy, () => ({ ...pharmacy, personName: 'Collega' }))
  const { user } = openAccount(server)
  await screen.findByDisplayValue('Collega')
  await user.clear(await field())
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Nome salvato')).toBeDefined()
  expect(server.account.metadata).toEqual({ full_name: '' })
  expect((await field()).value).toBe('Collega')
})

test('a name that could not be saved stays typed, and says why', async () => {
  const server = accountServer()
  const answer = deferred<Response>()
  server.api.auth('PUT', '/user', () => answer.promise)
  const { user } = openAccount(server)
  await user.type(await field(), 'Anna{Enter}')
  const busy = await screen.findByRole('button', { name: 'Salvataggio in corso…' })
  expect(inactive(busy)).toBe(true)
  answer.resolve(authError(429, 'over_request_rate_limit', { retryAfter: 40 }))
  const alert = await (await person()).findByRole('alert')
  expect(alert.textContent).toBe('Troppi tentativi. Riprova tra 40 secondi.')
  expect((await field()).value).toBe('Anna')
})

test('another address waits until both agree; it is shown, sent again and given up', async () => {
  const server = accountServer()
  const { user } = openAccount(server)
  const part = await person()
  await user.click(await part.findByRole('button', { name: 'Cambia email' }))
  const address = part.getByLabelText('Nuovo indirizzo email')
  await focused(address)
  await user.type(address, `${server.account.email.toUpperCase()}{Enter}`)
  expect(await part.findByText("È l'indirizzo che usi già: scrivine un altro.")).toBeDefined()
  await user.clear(address)
  await user.type(address, `${NEXT}{Enter}`)
  expect(await part.findByText(`In attesa di conferma: ${NEXT}`)).toBeDefined()
  expect(part.queryByRole('button', { name: 'Cambia email' })).toBeNull()
  const asked = server.api.requests.find(({ method }) => method === 'PUT')
  expect(asked?.path).toContain(encodeURIComponent(`${location.origin}/account`))
  expect(asked?.body).toEqual({ email: NEXT })

  await user.click(part.getByRole('button', { name: 'Invia di nuovo i link' }))
  expect(await screen.findByText('Link inviati di nuovo')).toBeDefined()
  const again = server.api.requests.find(({ path }) => path.includes('/resend'))
  expect(again?.body).toMatchObject({ type: 'email_change', email: server.account.email })

  await user.click(part.getByRole('button', { name: 'Annulla il cambio' }))
  expect(await screen.findByText('Cambio di email annullato')).toBeDefined()
  expect(server.account.next).toBeNull()
  expect(await part.findByRole('button', { name: 'Cambia email' })).toBeDefined()
})

test('an address that is taken is said, and stays typed', async () => {
  const server = accountServer()
  server.api.auth('PUT', '/user', () => authError(422, 'email_exists'))
  const { user } = openAccount(server)
  const part = await person()
  await user.click(await part.findByRole('button', { name: 'Cambia email' }))
  const address = part.getByLabelText('Nuovo indirizzo email')
  await user.type(address, `${NEXT}{Enter}`)
  expect((await part.findByRole('alert')).textContent).toContain('è già usato')
  expect(address.getAttribute('aria-invalid')).toBe('true')
  await focused(address)
  expect(part.getByDisplayValue(NEXT)).toBeDefined()
  await user.click(part.getByRole('button', { name: 'Annulla' }))
  expect(part.queryByLabelText('Nuovo indirizzo email')).toBeNull()
  expect(part.getByRole('button', { name: 'Cambia email' })).toBeDefined()
})

test('a change that was asked for days ago waits no more', async () => {
  const server = accountServer()
  server.account.next = { address: NEXT, askedAt: new Date(Date.now() - 90_000_000).toISOString() }
  openAccount(server)
  const part = await person()
  expect(await part.findByRole('button', { name: 'Cambia email' })).toBeDefined()
  expect(part.queryByText(new RegExp(NEXT))).toBeNull()
})
