import { expect, test } from 'vitest'
import { appFactor, sessionOf, userId } from '../../test/fixtures.ts'
import { readStoredSession } from './stored-session.ts'

const KEY = 'a-session'

function stored(value: unknown) {
  localStorage.setItem(KEY, typeof value === 'string' ? value : JSON.stringify(value))
  return readStoredSession(KEY)
}

test('says whose it is, which one, and until when', () => {
  const session = sessionOf(userId, { id: 'one', email: 'è@example.it' })
  expect(stored(session)).toEqual({
    id: 'one',
    userId,
    email: 'è@example.it',
    fromMail: false,
    authenticatorApps: [],
    factorNeeded: false,
    accessToken: session.access_token,
    expiresAt: session.expires_at * 1000,
  })
})

function withAmr(amr: unknown) {
  const claims = btoa(JSON.stringify({ amr })).replaceAll('=', '')
  return { ...sessionOf(), access_token: `h.${claims}.s` }
}

test.each([
  [[{ method: 'otp', timestamp: 1 }], true],
  [[{ method: 'recovery', timestamp: 1 }], true],
  [['otp'], true],
  [[{ method: 'password', timestamp: 1 }], false],
  [[{ method: 'totp' }, { method: 'password' }], false],
  [[{ method: 'totp' }, { method: 'otp' }], true],
  [[{ method: 'oauth', timestamp: 1 }], false],
  [[{ method: 'mfa/recovery_code' }, { method: 'oauth' }], false],
  [[], false],
  [undefined, false],
  ['otp', false],
])('begun by %j it came from a mail: %s', (amr, fromMail) => {
  expect(stored(withAmr(amr))?.fromMail).toBe(fromMail)
})

const proved = appFactor('Telefono')

test.each([
  ['has none', [], 'aal1', false],
  ['has not shown it', [proved], 'aal1', true],
  ['has shown it', [proved], 'aal2', false],
  ['has not proved it', [{ ...proved, status: 'unverified' }], 'aal1', false],
  ['has one of another kind', [{ ...proved, factor_type: 'phone' }], 'aal1', false],
  ['has something else there', 'yes', 'aal1', false],
])('a second factor is to be shown by who %s: %j, %s: %s', (_who, factors, aal, needed) => {
  const claims = btoa(JSON.stringify({ aal })).replaceAll('=', '')
  const session = sessionOf()
  const user = { ...session.user, factors }
  const found = stored({ ...session, access_token: `h.${claims}.s`, user })
  expect(found?.factorNeeded).toBe(needed)
})

test('the apps are told by the names they were given', () => {
  const apps = stored(sessionOf(userId, { apps: ['Telefono', ''] }))?.authenticatorApps
  expect(apps).toEqual([
    { id: 'factor-Telefono', name: 'Telefono' },
    { id: 'factor-', name: '' },
  ])
})

test.each(['', 'null', '{', '7', { access_token: 'a' }, { ...sessionOf(), user: null }])(
  '%j is none',
  (value) => {
    expect(stored(value)).toBeNull()
  },
)

test('a token that cannot be read says nothing', () => {
  expect(stored({ ...sessionOf(), access_token: 'x.%%.y' })).toMatchObject({
    id: null,
    fromMail: false,
  })
})
