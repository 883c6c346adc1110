import { listSignInMethods } from '@bancone/contract/account'
import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { accountServer, openAccount, reauthenticate, section } from '../../../test/account.ts'
import { authError } from '../../../test/auth-error.ts'
import { userId } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { deferred, failure } from '../../../test/stub-api.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

const TITLE = 'Accessi collegati'
const identity = {
  id: 'subject',
  identity_id: '3f0c6a0e-7a54-4b0a-9c39-6a5c0f6b2d41',
  user_id: userId,
  provider: 'acme',
  email: 'anna@example.com',
  last_sign_in_at: '2026-01-05T07:30:00Z',
}

function server({ linked = false } = {}) {
  const made = accountServer()
  made.api.on(listSignInMethods, () => ({ providers: [{ id: 'acme', name: 'Acme' }] }))
  if (linked) made.account.identities = [identity]
  return made
}

/** The user who left for the other service from this browser. */
function left() {
  localStorage.setItem(`${storageKeys.pharmacy.session}-code-verifier`, JSON.stringify('verifier'))
}

test('there is nothing to see where there is no other service, and none was linked', async () => {
  openAccount(accountServer())
  await section('Chiavi API')
  expect(screen.queryByRole('heading', { name: TITLE })).toBeNull()
})

test('linking leads to the other service, which is told where to come back to', async () => {
  const made = server()
  made.api.auth('GET', '/user/identities/authorize', () =>
    Response.json({ url: 'https://acme.example/authorize?state=1' }),
  )
  const led: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    led.push(this.href)
  })
  const { user } = openAccount(made)
  const part = await section(TITLE)
  expect(part.getByText('Non collegato')).toBeDefined()
  await user.click(part.getByRole('button', { name: 'Collega Acme' }))
  // A link opens the account for good: an open session alone is not enough to add one.
  const dialog = await screen.findByRole('dialog', { name: 'Conferma che sei tu' })
  expect(dialog.textContent).toContain('Per collegare Acme')
  await user.keyboard('sbagliata')
  await user.click(within(dialog).getByRole('button', { name: 'Continua' }))
  expect(await within(dialog).findByText('La password non è corretta.')).toBeDefined()
  expect(led).toEqual([])
  await user.clear(within(dialog).getByLabelText('La tua password'))
  await reauthenticate(user)
  await waitFor(() => expect(led).toEqual(['https://acme.example/authorize?state=1']))
  const asked = made.api.requests.find(({ path }) => path.includes('/identities/authorize'))
  const query = new URL(asked?.path ?? '', location.origin).searchParams
  expect(query.get('provider')).toBe('acme')
  expect(query.get('redirect_to')).toBe(`${location.origin}/account`)
  expect(asked?.bearer).toBe(`Bearer ${made.session().access_token}`)
})

test('the return from the other service links it, once, and leaves nothing in the address', async () => {
  const made = server()
  made.api.auth('POST', '/token', (_, url) => {
    if (url.searchParams.get('grant_type') !== 'pkce') return authError(400, 'bad_json')
    made.account.identities = [identity]
    return Response.json(made.session())
  })
  left()
  openAccount(made, { address: '?code=6c3d1f0e-0f43-4c6e-a1a7-4a7f7c1f5a10' })
  const part = await section(TITLE)
  expect(await part.findByText('anna@example.com · usato il 05/01/2026 08:30')).toBeDefined()
  expect(await screen.findByText('Accesso collegato')).toBeDefined()
  expect(location.pathname + location.search).toBe('/account')
  expect(made.api.requests.filter(({ path }) => path.includes('grant_type=pkce'))).toHaveLength(1)
})

test.each([
  ['access_denied', 'Hai annullato la richiesta: non è cambiato nulla.'],
  ['identity_already_exists', 'Questo accesso esterno è già collegato a un altro account Bancone.'],
])('coming back with %s says why, and the address is clean', async (code, said) => {
  openAccount(server(), { address: `?error=x&error_code=${code}#error=x&error_code=${code}` })
  const part = await section(TITLE)
  expect((await part.findByRole('alert')).textContent).toBe(said)
  expect(location.pathname + location.search + location.hash).toBe('/account')
})

test('a linked service is unlinked after a question', async () => {
  const made = server({ linked: true })
  made.api.auth('DELETE', '/user/identities/[^/]+', (_, url) => {
    expect(url.pathname).toContain(identity.identity_id)
    made.account.identities = []
    return Response.json({})
  })
  const { user } = openAccount(made)
  const part = await section(TITLE)
  await user.click(await part.findByRole('button', { name: 'Scollega Acme' }))
  await screen.findByRole('dialog', { name: 'Scollegare Acme?' })
  const read = deferred<void>()
  made.api.auth('GET', '/user', async () => {
    await read.promise
    return Response.json(made.session().user)
  })
  await user.click(screen.getByRole('button', { name: 'Scollega' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await focused(part.getByRole('button', { name: 'Scollega Acme' }))
  read.resolve()
  expect(await part.findByText('Non collegato')).toBeDefined()
  await focused(screen.getByRole('heading', { name: TITLE }))
})

test('what cannot be unlinked says why', async () => {
  const made = server({ linked: true })
  made.api.auth('DELETE', '/user/identities/[^/]+', () =>
    authError(422, 'single_identity_not_deletable'),
  )
  const { user } = openAccount(made)
  const part = await section(TITLE)
  await user.click(await part.findByRole('button', { name: 'Scollega Acme' }))
  await user.click(screen.getByRole('button', { name: 'Scollega' }))
  expect((await screen.findByRole('alert')).textContent).toContain("È l'unico modo")
  await user.click(screen.getByRole('button', { name: 'Annulla' }))
  expect(part.getByRole('button', { name: 'Scollega Acme' })).toBeDefined()
})

test('where it is not known which services there are, that is said and asked again', async () => {
  const made = server()
  made.api.on(listSignInMethods, () => failure('service.unavailable'))
  const { user } = openAccount(made)
  const part = await section(TITLE)
  made.api.on(listSignInMethods, () => ({ providers: [{ id: 'acme', name: 'Acme' }] }))
  await user.click(await part.findByRole('button', { name: 'Riprova' }))
  expect(await part.findByRole('button', { name: 'Collega Acme' })).toBeDefined()
})
