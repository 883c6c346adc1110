import { createSign, generateKeyPairSync } from 'node:crypto'
import { type JWTPayload, SignJWT } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { createAdministratorsStore } from '../../src/features/administrators/administrators.store.ts'
import { type AuthServer, authServer } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import { expectRefused } from './replies.ts'

/** Known pitfalls of tokens, keys and sessions. */

const email = 'farmacia@example.it'
const adminKey = 'a-key-of-the-tests-for-other-servers'
let server: AuthServer
let userId: string

beforeAll(async () => {
  server = await authServer({
    auth: { ...testAuth, adminKey },
  })
  userId = await server.addPharmacy({ email, code: 'PHARM-0001' })
  await createAdministratorsStore(server.database.db).insert(
    await server.addUser('admin@example.it'),
  )
})

type Session = { access_token: string; refresh_token: string }

async function signIn(address = email): Promise<Session> {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    payload: { email: address, password },
  })
  return reply.json<Session>()
}

function get(url: string, token: string, headers = {}) {
  return server.app.inject({ url, headers: { authorization: `Bearer ${token}`, ...headers } })
}

function refresh(refresh_token: string) {
  return server.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=refresh_token',
    payload: { refresh_token },
  })
}

const decode = (part: string | undefined) =>
  JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as JWTPayload
const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

describe('pitfall 5: forged tokens', () => {
  it('without a signature, or signed with what is public, are refused', async () => {
    const { access_token: token } = await signIn()
    const [head, body] = token.split('.')
    const { kid } = decode(head) as { kid: string }
    const published = await server.app.inject('/auth/v1/.well-known/jwks.json')
    const [key] = published.json<{ keys: Record<string, string>[] }>().keys
    const claims = decode(body)
    const hmac = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid })
      .sign(new TextEncoder().encode(JSON.stringify(key)))
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const text = `${encode({ alg: 'ES256', kid })}.${body}`
    const signature = createSign('sha256')
      .update(text)
      .sign({ key: foreign, dsaEncoding: 'ieee-p1363' })
      .toString('base64url')
    for (const forged of [
      `${encode({ alg: 'none', kid })}.${body}.`,
      `${head}.${body}.`,
      hmac,
      `${text}.${signature}`,
      `${head}.${encode({ ...claims, sub: 'someone else' })}.${token.split('.')[2]}`,
    ]) {
      const reply = await get('/auth/v1/user', forged)
      expectRefused(reply, 403, 'bad_jwt')
      expect((await get('/api/pharmacy', forged)).statusCode).toBe(401)
    }
    expect((await get('/auth/v1/user', token)).statusCode).toBe(200)
  })

  it('a user cannot become an administrator by the data they may write', async () => {
    const { access_token: token } = await signIn()
    const put = (payload: object) =>
      server.app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization: `Bearer ${token}` },
        payload,
      })
    for (const payload of [
      { app_metadata: { role: 'admin' } },
      { role: 'supabase_admin' },
      { aud: 'admin' },
    ]) {
      expect((await put(payload)).json()).toMatchObject({ error_code: 'not_admin' })
    }
    expect((await put({ data: { role: 'service_role', is_admin: true } })).statusCode).toBe(200)
    const { refresh_token } = await signIn()
    const fresh = (await refresh(refresh_token)).json<Session>().access_token
    expect(decode(fresh.split('.')[1])).toMatchObject({ role: 'authenticated' })
    expect((await get('/auth/v1/admin/users', fresh)).json()).toMatchObject({
      error_code: 'not_admin',
    })
    expect((await get('/api/administrator', fresh)).statusCode).toBe(403)
  })
})

describe('pitfall 6: a privileged key in a browser', () => {
  it.each([
    { origin: 'null' },
    { 'sec-fetch-site': 'same-origin' },
    { 'user-agent': 'Mozilla/5.0' },
  ])('is refused (%j)', async (headers) => {
    const almost = await get('/auth/v1/admin/users', adminKey.slice(0, -1))
    expect(almost.json()).toMatchObject({ error_code: 'bad_jwt' })
    const reply = await get('/auth/v1/admin/users', adminKey, headers)
    expectRefused(reply, 403, 'not_admin')
  })
})

describe('pitfall 7: a token that outlives its session', () => {
  const ended = async ({ access_token: token }: Session) => {
    const user = await get('/auth/v1/user', token)
    const api = await get('/api/pharmacy', token)
    return [user.json<{ error_code?: string }>().error_code, api.statusCode]
  }
  const asAdmin = async (method: 'PUT' | 'DELETE', url: string, payload: object) => {
    const reply = await server.app.inject({
      method,
      url: `/auth/v1/admin/users/${url}`,
      headers: { authorization: `Bearer ${adminKey}` },
      payload,
    })
    expect(reply.statusCode).toBe(200)
  }

  it('is worth nothing after a new password: the other sessions and all links end', async () => {
    const [here, there] = [await signIn(), await signIn()]
    expect((await get('/api/pharmacy', there.access_token)).statusCode).toBe(200)
    await server.app.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email } })
    const recovery = await server.nextMail(email)
    const change = (text: string) =>
      server.app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization: `Bearer ${here.access_token}` },
        payload: { password: text },
      })
    expect((await change('una frase nuova')).statusCode).toBe(200)
    expect(await ended(there)).toEqual(['session_not_found', 401])
    expect((await refresh(there.refresh_token)).json()).toMatchObject({
      error_code: 'refresh_token_not_found',
    })
    expect(await ended(here)).toEqual([undefined, 200])
    const used = await server.app.inject({
      method: 'POST',
      url: '/auth/v1/verify',
      payload: { type: 'recovery', token_hash: recovery.linked.get('token_hash') },
    })
    expect(used.json()).toMatchObject({ error_code: 'otp_expired' })
    expect((await server.nextMail(email)).subject).toBeTruthy()
    expect((await change(password)).statusCode).toBe(200)
  })

  /** A session that this process has cached. */
  const atWork = async (address = email) => {
    const session = await signIn(address)
    expect((await get('/api/pharmacy', session.access_token)).statusCode).toBe(200)
    return session
  }

  it('is worth nothing after a ban, after a password set by an administrator, after a deletion', async () => {
    const banned = await atWork()
    await asAdmin('PUT', userId, { ban_duration: '24h' })
    expect(await ended(banned)).toEqual(['session_not_found', 401])
    expect((await refresh(banned.refresh_token)).statusCode).toBe(400)
    await asAdmin('PUT', userId, { ban_duration: 'none' })

    const changed = await atWork()
    await asAdmin('PUT', userId, { password })
    expect(await ended(changed)).toEqual(['session_not_found', 401])

    for (const soft of [true, false]) {
      const address = `gone-${soft}@example.it`
      const id = await server.addPharmacy({ email: address, code: `PHARM-${soft}` })
      const session = await atWork(address)
      await asAdmin('DELETE', id, { should_soft_delete: soft })
      expect(await ended(session)).toEqual(['session_not_found', 401])
      expect((await refresh(session.refresh_token)).statusCode).toBe(400)
    }
  })

  it('is worth nothing to a pharmacy that was made inactive', async () => {
    const session = await signIn()
    const { pool } = server.database
    await pool.query('update pharmacies set is_active = false where id = $1', [userId])
    await expect
      .poll(async () => (await get('/api/pharmacy', session.access_token)).statusCode, {
        timeout: 5_000,
      })
      .toBe(403)
    await pool.query('update pharmacies set is_active = true where id = $1', [userId])
  })
})

describe('pitfall 8: refresh tokens', () => {
  it('used again within the interval give the same one, and no more of them', async () => {
    const { refresh_token: first } = await signIn()
    const replies = await Promise.all(Array.from({ length: 10 }, () => refresh(first)))
    const given = new Set(replies.map((reply) => reply.json<Session>().refresh_token))
    expect(given.size).toBe(1)
    const { rows } = await server.database.pool.query<{ most: number }>(
      'select max(n)::int as most from (select count(*) n from auth_refresh_tokens group by session_id) c',
    )
    expect(rows[0]?.most).toBe(2)
  })

  it('of a session that was not used for long are worth nothing, the one before the active one neither', async () => {
    const { refresh_token: first } = await signIn()
    await refresh(first)
    await server.database.pool.query(
      "update auth_sessions set refreshed_at = refreshed_at - interval '61 days' where user_id = $1",
      [userId],
    )
    expect((await refresh(first)).json()).toMatchObject({ error_code: 'session_expired' })
    expect((await refresh(first)).json()).toMatchObject({ error_code: 'refresh_token_not_found' })
  })

  it('of a session in daily use are worth nothing after ninety days', async () => {
    const { refresh_token: first } = await signIn()
    const ageBy = (days: number) =>
      server.database.pool.query(
        "update auth_sessions set created_at = now() - $2 * interval '1 day' where user_id = $1",
        [userId, days],
      )
    await ageBy(89)
    const { refresh_token: second } = (await refresh(first)).json<Session>()
    await ageBy(91)
    expect((await refresh(second)).json()).toMatchObject({ error_code: 'session_expired' })
    const { rowCount } = await server.database.pool.query(
      "select from audit_events where user_id = $1 and action = 'session_expired'",
      [userId],
    )
    expect(rowCount).toBeGreaterThan(0)
  })
})
