import { getOwnAdministrator } from '@bancone/contract/administrators'
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, signIn } from '../../../test/fill.ts'
import { administrator, sessionOf } from '../../../test/fixtures.ts'
import { inactive } from '../../../test/inactive.ts'
import { renderApp, serverWith } from '../../../test/render-app.tsx'
import { deferred, failure, type StubApi } from '../../../test/stub-api.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

const session = sessionOf(administrator.id, { email: administrator.email })
const KEY = storageKeys.admin.session

function server() {
  return serverWith([])
    .on(getOwnAdministrator, () => administrator)
    .auth('POST', '/token', () => Response.json(session))
}

function open(api = server(), path = '/admin/login') {
  return { api, ...renderApp(path, api, { signedIn: false }) }
}

/** What the authentication service was asked. */
function asked({ requests }: StubApi) {
  return requests.map(({ path }) => path).filter((path) => path.startsWith('/auth/'))
}

const dashboard = () => screen.findByRole('heading', { name: 'Dashboard amministratori' })

test('the form is at work until the membership is known', async () => {
  const answer = deferred<typeof administrator>()
  open(server().on(getOwnAdministrator, () => answer.promise))
  await signIn(administrator.email)
  await waitFor(() => expect(localStorage.getItem(KEY)).not.toBeNull())
  const busy = await screen.findByRole('button', { name: 'Accesso in corso...' })
  expect(inactive(busy)).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(administrator.email)
  answer.resolve(administrator)
  expect(await dashboard()).toBeDefined()
})

test('who is no administrator is signed out and told, with what was typed still there', async () => {
  const api = server().on(getOwnAdministrator, () => failure('access.denied'))
  open(api)
  await signIn(administrator.email)
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Non hai i permessi di amministratore',
  )
  expect(location.pathname).toBe('/admin/login')
  expect(localStorage.getItem(KEY)).toBeNull()
  expect(api.requests.some(({ path }) => path === '/auth/v1/logout?scope=local')).toBe(true)
  expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe(administrator.email)
})

test('a membership that cannot be asked for now is no sign-out', async () => {
  const api = server().on(getOwnAdministrator, () => failure('service.unavailable'))
  open(api)
  await signIn(administrator.email)
  expect(await screen.findByText('Non riusciamo a verificare il tuo accesso')).toBeDefined()
  expect(localStorage.getItem(KEY)).not.toBeNull()
})

test('a forgotten password is mended as in the pharmacy, for this area', async () => {
  const api = server().auth('POST', '/recover', () => Response.json({}))
  const { user } = open(api)
  await user.click(await screen.findByRole('button', { name: 'Password dimenticata?' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Inserisci la tua email per richiedere il reset della password.',
  )
  fill(screen.getByLabelText('Email'), administrator.email)
  await user.click(screen.getByRole('button', { name: 'Password dimenticata?' }))
  expect((await screen.findByRole('status')).textContent).toMatch(/tra poco riceverai un'email/)
  const target = encodeURIComponent(`${location.origin}/reset-password?type=recovery&area=admin`)
  expect(asked(api)).toEqual([`/auth/v1/recover?redirect_to=${target}`])
})
