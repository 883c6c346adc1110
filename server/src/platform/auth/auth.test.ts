import { beforeAll, expect, it } from 'vitest'
import { password, type TestServer, testServer } from '../../../test/server.ts'

// Tests with auth-js are in test/conformance, and tests of attacks in test/pitfalls.

const email = 'farmacia@example.it'
let server: TestServer

beforeAll(async () => {
  server = await testServer()
  await server.addPharmacy({ email, code: 'PHARM-0001' })
})

function token(grant: string, payload: object) {
  const url = `/auth/v1/token?grant_type=${grant}`
  return server.app.inject({ method: 'POST', url, payload })
}

const signIn = (attempt: object = {}) => token('password', { email, password, ...attempt })

async function signedIn() {
  const reply = await signIn()
  return reply.json<{ access_token: string; refresh_token: string }>()
}

it('signing in takes the address in any case', async () => {
  expect((await signIn({ email: ' Farmacia@EXAMPLE.it' })).statusCode).toBe(200)
})

it('signing in refuses a password longer than any like a wrong one', async () => {
  const reply = await signIn({ password: 'x'.repeat(100) })
  expect([reply.statusCode, reply.json()]).toMatchObject([
    400,
    { error_code: 'invalid_credentials', msg: 'Invalid login credentials' },
  ])
})

it('no password, refresh token or private key is stored as it is', async () => {
  const session = await signedIn()
  const { rows } = await server.database.pool.query<{ all: string }>(
    `select (select string_agg(u::text, '') from auth_users u)
      || (select string_agg(t::text, '') from auth_refresh_tokens t)
      || (select string_agg(k::text, '') from auth_signing_keys k) as all`,
  )
  const kept = String(rows[0]?.all)
  expect(kept).toContain('$argon2id$')
  for (const secret of [password, session.refresh_token, '"d"']) expect(kept).not.toContain(secret)
})

it('a logout takes effect at once, for the account and for its orders', async () => {
  const session = await signedIn()
  const headers = { authorization: `Bearer ${session.access_token}` }
  const orders = { url: '/api/airtable-orders', headers }
  expect((await server.app.inject(orders)).statusCode).toBe(200)
  await server.app.inject({ method: 'POST', url: '/auth/v1/logout', headers })

  expect((await server.app.inject(orders)).json()).toMatchObject({ error: 'No active session' })
  const user = await server.app.inject({ url: '/auth/v1/user', headers })
  expect([user.statusCode, user.json()]).toMatchObject([403, { error_code: 'session_not_found' }])
  const refresh = await token('refresh_token', { refresh_token: session.refresh_token })
  expect(refresh.json()).toMatchObject({ error_code: 'refresh_token_not_found' })
})
