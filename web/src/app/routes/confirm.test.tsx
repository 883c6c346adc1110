import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { authError } from '../../../test/auth-error.ts'
import { administrator, orders, sessionOf, userId } from '../../../test/fixtures.ts'
import { focused } from '../../../test/focused.ts'
import { inactive } from '../../../test/inactive.ts'
import { allowPrinted } from '../../../test/printed.ts'
import { renderApp, serverWith, storeSession } from '../../../test/render-app.tsx'
import { deferred, type StubApi } from '../../../test/stub-api.ts'
import { storageKeys } from '../../lib/storage-keys.ts'

const TOKEN = 'a-secret-token'
const fromMail = sessionOf(userId, { id: 'from a mail', method: 'otp' })

function link(type: string, to?: string): string {
  const parts = { token_hash: TOKEN, type, ...(to ? { redirect_to: to } : {}) }
  return `/confirm#${new URLSearchParams(parts)}`
}

function serverThat(verify: (body: unknown) => Response | Promise<Response>) {
  return serverWith(orders(1)).auth('POST', '/verify', verify)
}

const working = () => serverThat(() => Response.json(fromMail))

function open(address: string, api: StubApi = working()) {
  return { api, ...renderApp(address, api, { signedIn: false }) }
}

const verifications = (api: StubApi) =>
  api.requests.filter(({ path }) => path.startsWith('/auth/v1/verify'))

describe('what the click does is said, and neither the token nor an entry of the history stays after it', () => {
  test.each([
    [
      'recovery',
      undefined,
      'Scegli una nuova password',
      'Continua',
      '/reset-password?type=recovery',
    ],
    [
      'invite',
      undefined,
      'Ti diamo il benvenuto',
      "Accetta l'invito",
      '/reset-password?type=invite',
    ],
    ['magiclink', undefined, 'Accedi', 'Accedi', '/'],
    ['signup', undefined, 'Conferma il tuo indirizzo', 'Conferma il tuo indirizzo', '/'],
    ['email_change', undefined, 'Conferma il nuovo indirizzo', 'Conferma il nuovo indirizzo', '/'],
  ])('%s with %s', async (type, to, heading, action, target) => {
    const { api, user } = open(link(type, to))
    const before = window.history.length
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toContain(heading)
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([action])
    expect(api.requests).toEqual([])
    expect(document.title).not.toContain(TOKEN)
    await user.click(screen.getByRole('button'))
    await waitFor(() => expect(location.pathname + location.search).toBe(target))
    expect(verifications(api)).toMatchObject([{ body: { token_hash: TOKEN, type } }])
    expect([location.hash, window.history.length]).toEqual(['', before])
    expect(location.href + document.title).not.toContain(TOKEN)
    await waitFor(() => expect(screen.queryByText('Verifica in corso...')).toBeNull())
  })
})

test('a change of address that is whole is said on the page it leads to', async () => {
  const { user } = open(link('email_change'))
  await user.click(await screen.findByRole('button'))
  expect(await screen.findByText('Email cambiata')).toBeDefined()
})

test('while it works the button says so, and a second click asks nothing', async () => {
  const answer = deferred<Response>()
  const { api, user } = open(
    link('invite'),
    serverThat(() => answer.promise),
  )
  const button = await screen.findByRole('button')
  await user.click(button)
  expect(button.textContent).toBe('Verifica in corso...')
  expect(inactive(button)).toBe(true)
  await user.click(button)
  expect(verifications(api)).toHaveLength(1)
  answer.resolve(Response.json(fromMail))
  expect(await screen.findByRole('heading', { name: 'Scegli la tua password' })).toBeDefined()
})

test('a reload before the click keeps the link', async () => {
  const { unmount } = open(link('recovery'))
  await screen.findByRole('button', { name: 'Continua' })
  const { href } = location
  unmount()
  const { user } = open(href)
  await user.click(await screen.findByRole('button', { name: 'Continua' }))
  expect(await screen.findByLabelText('Nuova password')).toBeDefined()
})

test('the user of the link replaces the signed-in user, whose session ends', async () => {
  const other = sessionOf('0b0a3f5e-6d0c-4d43-8d6e-9a3c8a1c7b11', { email: 'altra@example.it' })
  storeSession('pharmacy', other)
  const { api, user } = open(link('recovery'))
  await user.click(await screen.findByRole('button', { name: 'Continua' }))
  expect(await screen.findByText('farmacia@example.it')).toBeDefined()
  expect(localStorage.getItem(storageKeys.pharmacy.session)).toContain(fromMail.access_token)
  expect(api.requests.filter(({ path }) => path.includes('/logout'))).toMatchObject([
    { bearer: `Bearer ${other.access_token}`, path: '/auth/v1/logout?scope=local' },
  ])
})

test.each([
  ['recovery', '/reset-password?type=recovery&area=admin'],
  ['invite', '/admin/dashboard'],
])('a link for the administration (%s, %s) gives its session alone', async (type, to) => {
  storeSession('pharmacy')
  const session = sessionOf(administrator.id, { method: 'otp' })
  const { user } = open(
    link(type, to),
    serverThat(() => Response.json(session)),
  )
  await user.click(await screen.findByRole('button'))
  await waitFor(() => expect(location.pathname + location.search).toBe(to))
  expect(localStorage.getItem(storageKeys.admin.session)).toContain(session.access_token)
  expect(localStorage.getItem(storageKeys.pharmacy.session)).toContain(sessionOf().access_token)
})

test('the first half of a change of address asks for the other, and forgets the token', async () => {
  const { user } = open(
    link('email_change'),
    serverThat(() => Response.json({ msg: 'Confirmation link accepted.', code: '200' })),
  )
  const before = window.history.length
  await user.click(await screen.findByRole('button'))
  const heading = await screen.findByRole('heading', { name: 'Manca una conferma' })
  expect(window.history.length).toBe(before)
  await focused(heading)
  expect(screen.getByText(/Abbiamo inviato un link anche all'altro/)).toBeDefined()
  expect(location.href).not.toContain(TOKEN)
  expect(localStorage.getItem(storageKeys.pharmacy.session)).toBeNull()
})

describe('a link that is over', () => {
  const expired = () => serverThat(() => authError(403, 'otp_expired'))
  const name = 'Il link è scaduto o è già stato usato.'

  test('leads to the login, where the e-mail is asked for', async () => {
    const { user } = open(link('recovery'), expired())
    await user.click(await screen.findByRole('button'))
    await focused(await screen.findByRole('heading', { name }))
    await user.click(screen.getByRole('link', { name: 'Chiedi un nuovo link' }))
    expect(await screen.findByText(/^Per un nuovo link scrivi la tua email/)).toBeDefined()
    expect(location.pathname).toBe('/login')
    await focused(await screen.findByLabelText('Email'))
    expect(screen.getByRole('button', { name: 'Password dimenticata?' })).toBeDefined()
  })

  test('leads an administrator to their login', async () => {
    const { user } = open(link('recovery', '/reset-password?type=recovery&area=admin'), expired())
    await user.click(await screen.findByRole('button'))
    const way = await screen.findByRole('link', { name: 'Chiedi un nuovo link' })
    expect(way.getAttribute('href')).toBe('/admin/login')
  })

  test('leads a signed-in user to the page that sends another link', async () => {
    storeSession('pharmacy')
    const { user } = open(link('recovery'), expired())
    await user.click(await screen.findByRole('button'))
    await user.click(await screen.findByRole('link', { name: 'Chiedi un nuovo link' }))
    expect(await screen.findByRole('button', { name: 'Inviami il link' })).toBeDefined()
  })

  test('of an invitation that was used leads its user to the login', async () => {
    const { user } = open(link('invite', '/reset-password?type=invite'), expired())
    expect(await screen.findByText(/^Se non aspettavi un invito/)).toBeDefined()
    await user.click(await screen.findByRole('button'))
    expect(await screen.findByText(/^Se hai già scelto la password, accedi/)).toBeDefined()
    await user.click(screen.getByRole('link', { name: 'Chiedi un nuovo link' }))
    await focused(await screen.findByLabelText('Email'))
  })

  test('of a change of address cannot be asked for here', async () => {
    const { user } = open(link('email_change'), expired())
    await user.click(await screen.findByRole('button'))
    expect(await screen.findByRole('heading', { name })).toBeDefined()
    expect(screen.queryByRole('link', { name: 'Chiedi un nuovo link' })).toBeNull()
    expect(screen.getByRole('link', { name: "Vai all'accesso" })).toBeDefined()
  })

  test('for another reason says which, and is not tried again', async () => {
    const { user } = open(
      link('recovery'),
      serverThat(() => authError(400, 'validation_failed')),
    )
    await user.click(await screen.findByRole('button'))
    expect(await screen.findByText('Il link non è valido.')).toBeDefined()
    expect(screen.queryByRole('button')).toBeNull()
  })
})

test('where the server does not answer the link can be tried again, and works', async () => {
  const { api, user } = open(link('recovery'))
  let button = 'Continua'
  for (const [reply, text] of [
    [() => Promise.reject(new TypeError('fetch failed')), /^Il server non risponde\./],
    [() => authError(503, 'request_timeout'), /^Il servizio non è disponibile/],
    [() => authError(429, 'over_request_rate_limit'), /^Troppi tentativi\./],
  ] as const) {
    api.auth('POST', '/verify', reply)
    await user.click(await screen.findByRole('button', { name: button }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toMatch(text))
    expect(location.hash).toContain(TOKEN)
    button = 'Riprova'
  }
  api.auth('POST', '/verify', () => Response.json(fromMail))
  await user.click(screen.getByRole('button', { name: 'Riprova' }))
  expect(await screen.findByLabelText('Nuova password')).toBeDefined()
  allowPrinted(/TypeError: fetch failed/)
})

test('an address that was cut says so, and asks for nothing', async () => {
  const { api } = open('/confirm#token_hash=a-secret')
  expect(await screen.findByRole('heading', { name: 'Il link non è completo' })).toBeDefined()
  expect(screen.getByRole('link', { name: 'Chiedi un nuovo link' })).toBeDefined()
  expect(screen.queryByRole('button')).toBeNull()
  expect(api.requests).toEqual([])
})
