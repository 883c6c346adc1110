import type { AddressInfo } from 'node:net'
import { AuthClient } from '@supabase/auth-js'
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { password, type TestServer, testServer } from '../../../test/server.ts'

const email = 'farmacia@example.it'
let server: TestServer
let url: string

beforeAll(async () => {
  server = await testServer()
  await server.addPharmacy({ email, code: 'PHARM-0001' })
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  const address = server.app.server.address() as AddressInfo
  url = `http://127.0.0.1:${address.port}/auth/v1`
})

/** The official client, unchanged, as a browser of its own. */
function browser() {
  return new AuthClient({ url, autoRefreshToken: false, persistSession: false })
}

async function signedIn() {
  const client = browser()
  const { data, error } = await client.signInWithPassword({ email, password })
  if (error) throw error
  return { client, session: data.session }
}

type Refreshed = { refresh_token: string }

function token(grant: string, payload: object | string, headers: Record<string, string> = {}) {
  return server.app.inject({
    method: 'POST',
    url: `/auth/v1/token?grant_type=${grant}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload,
  })
}

describe('signing in', () => {
  it('gives a session and the user', async () => {
    const { client, session } = await signedIn()
    expect(session.user).toMatchObject({ email, aud: 'authenticated', role: 'authenticated' })
    expect(session.expires_in).toBe(3600)
    const { data } = await client.getUser(session.access_token)
    expect(data.user?.identities?.[0]).toMatchObject({ provider: 'email', user_id: data.user?.id })
  })

  it('takes the address in any case', async () => {
    const { error } = await browser().signInWithPassword({
      email: ' Farmacia@EXAMPLE.it',
      password,
    })
    expect(error).toBeNull()
  })

  it.each([
    ['a wrong password', email, 'not the password'],
    ['an unknown address', 'nobody@example.it', password],
    ['a password longer than any', email, 'x'.repeat(100)],
  ])('refuses %s in the same words', async (_what, address, attempt) => {
    const { data, error } = await browser().signInWithPassword({
      email: address,
      password: attempt,
    })
    expect(data.session).toBeNull()
    expect(error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
  })

  it('refuses someone who is banned', async () => {
    await server.addUser('banned@example.it')
    await server.database.pool.query(
      "update auth_users set banned_until = now() + interval '1 hour' where email = $1",
      ['banned@example.it'],
    )
    const { error } = await browser().signInWithPassword({ email: 'banned@example.it', password })
    expect(error).toMatchObject({ code: 'user_banned' })
  })

  it('signs with ES256, and the published key verifies it', async () => {
    const { session } = await signedIn()
    const keys = createRemoteJWKSet(new URL(`${url}/.well-known/jwks.json`))
    const { payload, protectedHeader } = await jwtVerify(session.access_token, keys, {
      algorithms: ['ES256'],
      audience: 'authenticated',
    })
    expect(protectedHeader.kid).toEqual(expect.any(String))
    expect(payload).toMatchObject({
      sub: session.user.id,
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password' }],
    })
    expect(payload['session_id']).toEqual(expect.any(String))
    expect(Number(payload.exp) - Number(payload.iat)).toBe(3600)
  })

  it('publishes no private key and stores no password or token', async () => {
    const { session } = await signedIn()
    const published = await server.app.inject('/auth/v1/.well-known/jwks.json')
    expect(published.headers['cache-control']).toBe('public, max-age=600')
    expect(published.json<{ keys: object[] }>().keys[0]).not.toHaveProperty('d')
    const { rows } = await server.database.pool.query<{ all: string }>(
      `select (select string_agg(u::text, '') from auth_users u)
        || (select string_agg(t::text, '') from auth_refresh_tokens t)
        || (select string_agg(k::text, '') from auth_signing_keys k) as all`,
    )
    const kept = String(rows[0]?.all)
    expect(kept).toContain('$argon2id$')
    expect(kept).not.toContain(password)
    expect(kept).not.toContain(session.refresh_token)
    expect(kept).not.toContain('"d"')
  })
})

describe('the errors of the protocol', () => {
  it('have the older shape for clients that name no version', async () => {
    const reply = await token('password', { email, password: 'wrong' })
    expect(reply.json()).toEqual({
      code: 400,
      error_code: 'invalid_credentials',
      msg: 'Invalid login credentials',
    })
  })

  it('have the newer shape, and name it, for clients that do', async () => {
    const headers = { 'x-supabase-api-version': '2024-01-01' }
    const reply = await token('password', { email, password: 'wrong' }, headers)
    expect(reply.headers['x-supabase-api-version']).toBe('2024-01-01')
    expect(reply.json()).toEqual({
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
  })

  it.each([
    ['an unknown grant', 'magic', { email }, 400, 'invalid_credentials'],
    ['no password', 'password', { email }, 400, 'validation_failed'],
    ['broken JSON', 'password', '{', 400, 'bad_json'],
    [
      'a malformed refresh token',
      'refresh_token',
      { refresh_token: 'x' },
      400,
      'validation_failed',
    ],
    [
      'an unknown refresh token',
      'refresh_token',
      { refresh_token: 'x'.repeat(43) },
      400,
      'refresh_token_not_found',
    ],
  ])('say what is wrong with %s', async (_what, grant, payload, status, code) => {
    const reply = await token(grant, payload)
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toMatchObject({ error_code: code })
  })

  it('tell a missing from a broken bearer', async () => {
    const missing = await server.app.inject('/auth/v1/user')
    expect([missing.statusCode, missing.json()]).toMatchObject([
      401,
      { error_code: 'no_authorization' },
    ])
    const broken = await server.app.inject({
      url: '/auth/v1/user',
      headers: { authorization: 'Bearer a.b.c' },
    })
    expect([broken.statusCode, broken.json()]).toMatchObject([403, { error_code: 'bad_jwt' }])
    expect(broken.json<{ msg: string }>().msg).toMatch(/^invalid JWT/)
  })
})

describe('refreshing', () => {
  it('gives a new token and ends with the old one', async () => {
    const { client, session } = await signedIn()
    const { data, error } = await client.refreshSession(session)
    expect(error).toBeNull()
    expect(data.session?.refresh_token).not.toBe(session.refresh_token)
    expect(data.session?.user.email).toBe(email)
  })

  it('answers many tabs at once with the same usable session', async () => {
    const { session } = await signedIn()
    const replies = await Promise.all(
      Array.from({ length: 20 }, () =>
        token('refresh_token', { refresh_token: session.refresh_token }),
      ),
    )
    expect(replies.map((reply) => reply.statusCode)).toEqual(Array(20).fill(200))
    const given = new Set(replies.map((r) => r.json<Refreshed>().refresh_token))
    expect(given.size).toBe(1)
  })

  it('ends the session when an old token turns up again', async () => {
    const { session } = await signedIn()
    const first = session.refresh_token
    const refresh = async (refresh_token: string) =>
      (await token('refresh_token', { refresh_token })).json<Refreshed>().refresh_token
    const second = await refresh(first)
    const third = await refresh(second)
    await server.database.pool.query(
      "update auth_refresh_tokens set replaced_at = replaced_at - interval '11 seconds'",
    )
    const reuse = await token('refresh_token', { refresh_token: first })
    expect(reuse.json()).toMatchObject({ error_code: 'refresh_token_already_used' })
    expect((await token('refresh_token', { refresh_token: third })).statusCode).toBe(400)
  })
})

describe('logging out', () => {
  it('takes effect at once, for the account and for its orders', async () => {
    const { client, session } = await signedIn()
    const headers = { authorization: `Bearer ${session.access_token}` }
    const orders = { url: '/api/airtable-orders', headers }
    expect((await server.app.inject(orders)).statusCode).toBe(200)

    expect((await client.signOut()).error).toBeNull()

    expect((await server.app.inject(orders)).json()).toMatchObject({ error: 'No active session' })
    const user = await server.app.inject({ url: '/auth/v1/user', headers })
    expect([user.statusCode, user.json()]).toMatchObject([403, { error_code: 'session_not_found' }])
    const refresh = await token('refresh_token', { refresh_token: session.refresh_token })
    expect(refresh.json()).toMatchObject({ error_code: 'refresh_token_not_found' })
  })

  it.each([
    ['local', 'ended', 'alive'],
    ['others', 'alive', 'ended'],
    ['global', 'ended', 'ended'],
  ] as const)('with scope %s this session is %s and the other %s', async (scope, mine, others) => {
    const here = await signedIn()
    const there = await signedIn()
    const reply = await server.app.inject({
      method: 'POST',
      url: `/auth/v1/logout?scope=${scope}`,
      headers: {
        authorization: `Bearer ${here.session.access_token}`,
        'content-type': 'application/json;charset=UTF-8',
      },
    })
    expect(reply.statusCode).toBe(204)
    const state = async ({ session }: typeof here) =>
      (await browser().getUser(session.access_token)).error ? 'ended' : 'alive'
    expect(await state(here)).toBe(mine)
    expect(await state(there)).toBe(others)
  })

  it('refuses a scope it does not know', async () => {
    const { session } = await signedIn()
    const reply = await server.app.inject({
      method: 'POST',
      url: '/auth/v1/logout?scope=everyone',
      headers: { authorization: `Bearer ${session.access_token}` },
    })
    expect(reply.statusCode).toBe(400)
  })
})
