import { expect, test } from 'vitest'
import { sessionOf, userId } from '../../test/fixtures.ts'
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
  [[], false],
  [undefined, false],
  ['otp', false],
])('begun by %j it came from a mail: %s', (amr, fromMail) => {
  expect(stored(withAmr(amr))?.fromMail).toBe(fromMail)
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
