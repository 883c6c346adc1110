import { describe, expect, it } from 'vitest'
import { type AuthServer, authServer } from '../auth-server.ts'
import { testAuth } from '../server.ts'
import { newAddress, newPerson, raw } from './clients.ts'
import { someText } from './matchers.ts'

const foreign = 'https://app.example.org'

const server = await authServer({
  auth: { ...testAuth, signup: true, anonymous: true, origins: [foreign] },
})
const closed = await authServer()

const versioned = { 'x-supabase-api-version': '2024-01-01' }

describe('an error', () => {
  const wrong = { body: { email: 'persona@example.it', password: 'not the password' } }

  it('has the newer shape for clients that name the version', async () => {
    const reply = await raw(server, 'POST', '/token?grant_type=password', {
      ...wrong,
      headers: versioned,
    })
    expect(reply.status).toBe(400)
    expect(reply.json).toEqual({
      code: 'invalid_credentials',
      message: 'Invalid login credentials',
    })
    expect(reply.headers.get('x-supabase-api-version')).toBe('2024-01-01')
    expect(reply.headers.get('x-sb-error-code')).toBe('invalid_credentials')
  })

  it('has the older shape for those that name none, or one before it', async () => {
    for (const headers of [{}, { 'x-supabase-api-version': '2023-12-31' }]) {
      const reply = await raw(server, 'POST', '/token?grant_type=password', { ...wrong, headers })
      expect(reply.status).toBe(400)
      expect(reply.json).toEqual({
        code: 400,
        error_code: 'invalid_credentials',
        msg: 'Invalid login credentials',
      })
      expect(reply.headers.get('x-supabase-api-version')).toBeNull()
      expect(reply.headers.get('x-sb-error-code')).toBe('invalid_credentials')
    }
  })

  it.each([versioned, {}])('tells why a password is weak (%j)', async (headers) => {
    const body = { email: newAddress(), password: 'short' }
    const reply = await raw(server, 'POST', '/signup', { body, headers })
    expect(reply.status).toBe(422)
    expect(reply.json).toMatchObject({ weak_password: { reasons: ['length'] } })
    expect([reply.json['code'], reply.json['error_code']]).toContain('weak_password')
  })

  it.each([
    ['a call that is not there', 'GET', '/nowhere', undefined, 404, 'not_found'],
    ['an unknown grant', 'POST', '/token?grant_type=magic', {}, 400, 'invalid_credentials'],
    ['no grant', 'POST', '/token', {}, 400, 'invalid_credentials'],
    ['no bearer', 'GET', '/user', undefined, 401, 'no_authorization'],
    ['no bearer', 'POST', '/logout', {}, 401, 'no_authorization'],
    ['no bearer', 'GET', '/admin/users', undefined, 401, 'no_authorization'],
    [
      'an unknown type',
      'POST',
      '/verify',
      { type: 'x', token_hash: 'y' },
      400,
      'validation_failed',
    ],
    ['nothing to verify', 'POST', '/verify', { type: 'email' }, 400, 'validation_failed'],
    [
      'an unknown type',
      'POST',
      '/resend',
      { type: 'x', email: 'a@b.it' },
      400,
      'validation_failed',
    ],
  ] as const)('tells of %s: %s %s', async (_what, method, path, body, status, code) => {
    const reply = await raw(server, method, path, { ...(body && { body }), headers: versioned })
    expect([reply.status, reply.json]).toMatchObject([status, { code }])
  })

  it('tells what is no JSON, and what is too much of it', async () => {
    const post = (body: string) =>
      fetch(`${server.url}/otp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...versioned },
        body,
      })
    const broken = await post('{')
    expect([broken.status, await broken.json()]).toMatchObject([400, { code: 'bad_json' }])
    const large = await post(JSON.stringify({ email: 'x'.repeat(1024 * 1024) }))
    expect([large.status, await large.json()]).toMatchObject([
      413,
      { code: 'request_entity_too_large' },
    ])
  })
})

describe('what is answered', () => {
  it('is JSON even when there is nothing to say', async () => {
    const { session } = await newPerson(server)
    const body = { email: newAddress(), type: 'signup' }
    for (const path of ['/otp', '/recover', '/resend']) {
      const reply = await raw(server, 'POST', path, { body: { ...body, create_user: false } })
      expect([reply.status, reply.json]).toEqual([200, {}])
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
      expect(reply.headers.get('cache-control')).toBe('no-store')
    }
    const token = session.access_token
    const asked = await raw(server, 'GET', '/reauthenticate', { token })
    expect([asked.status, asked.json]).toEqual([200, {}])
  })

  it('is nothing at all on signing out, whose body is empty JSON', async () => {
    const { session } = await newPerson(server)
    const reply = await raw(server, 'POST', '/logout?scope=local', {
      token: session.access_token,
      headers: { 'content-type': 'application/json;charset=UTF-8' },
    })
    expect([reply.status, reply.json]).toEqual([204, {}])
  })

  it('is no sign-out in an unknown scope', async () => {
    const { session } = await newPerson(server)
    const token = session.access_token
    const reply = await raw(server, 'POST', '/logout?scope=everyone', { token })
    expect([reply.status, reply.json]).toMatchObject([400, { error_code: 'validation_failed' }])
    expect((await raw(server, 'GET', '/user', { token })).status).toBe(200)
  })
})

describe('a page from elsewhere', () => {
  const preflight = (to: AuthServer, origin: string, path = '/token?grant_type=password') =>
    fetch(to.url + path, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers':
          'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
      },
    })
  const listed = (headers: Headers, name: string) =>
    (headers.get(name) ?? '').split(',').map((item) => item.trim().toLowerCase())

  it.each(['/token?grant_type=password', '/user', '/admin/users', '/no-such-call'])(
    'of a configured origin may call %s with what the client sends',
    async (path) => {
      const { ok: fine, headers } = await preflight(server, foreign, path)
      expect(fine).toBe(true)
      expect(headers.get('access-control-allow-origin')).toBe(foreign)
      expect(listed(headers, 'access-control-allow-headers')).toEqual(
        expect.arrayContaining([
          'authorization',
          'apikey',
          'content-type',
          'x-client-info',
          'x-supabase-api-version',
          'x-retry-count',
          'traceparent',
          'tracestate',
          'baggage',
        ]),
      )
      expect(listed(headers, 'access-control-allow-methods')).toEqual(
        expect.arrayContaining(['get', 'post', 'put', 'delete']),
      )
    },
  )

  it('of a configured origin reads what is answered, errors too', async () => {
    const headers = { origin: foreign, ...versioned }
    const paths = ['/settings', '/user', '/no-such-call', '/.well-known/jwks.json']
    for (const path of paths) {
      const reply = await raw(server, 'GET', path, { headers })
      expect(reply.headers.get('access-control-allow-origin'), path).toBe(foreign)
      expect(reply.headers.get('vary'), path).toMatch(/origin/i)
      expect(listed(reply.headers, 'access-control-expose-headers'), path).toEqual(
        expect.arrayContaining(['x-total-count', 'link', 'x-supabase-api-version']),
      )
    }
  })

  it.each(['https://evil.example', 'https://app.example.org.evil.example', 'null'])(
    'of %s is allowed nothing',
    async (origin) => {
      for (const to of [server, closed]) {
        const asked = await preflight(to, origin)
        expect(asked.headers.get('access-control-allow-origin')).toBeNull()
        const { headers } = await raw(to, 'GET', '/settings', { headers: { origin } })
        expect(headers.get('access-control-allow-origin')).toBeNull()
      }
    },
  )
})

describe('what the service says of itself', () => {
  it('is what may be done here', async () => {
    const { status, json } = await raw(server, 'GET', '/settings')
    expect(status).toBe(200)
    expect(json).toMatchObject({
      external: { email: true, phone: false, anonymous_users: true, google: false },
      disable_signup: false,
      mailer_autoconfirm: false,
      phone_autoconfirm: false,
      saml_enabled: false,
    })
    expect((await raw(closed, 'GET', '/settings')).json).toMatchObject({
      external: { email: true, anonymous_users: false },
      disable_signup: true,
    })
  })

  it('is that it is well', async () => {
    const { status, json } = await raw(server, 'GET', '/health')
    expect([status, json]).toMatchObject([200, { name: 'Bancone' }])
  })

  it('is its public keys, and nothing else of them', async () => {
    const { status, headers, json } = await raw(server, 'GET', '/.well-known/jwks.json')
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toMatch(/public, max-age=600/)
    expect(json['keys']).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: someText,
        y: someText,
        alg: 'ES256',
        use: 'sig',
        kid: someText,
      },
    ])
  })
})
