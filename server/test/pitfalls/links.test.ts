import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthServer, authServer, noLimits } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'

/** What goes wrong with links, limits and logs. */

const email = 'farmacia@example.it'
const foreign = 'https://app.example.org'
let server: AuthServer

beforeAll(async () => {
  server = await authServer({
    auth: { ...testAuth, origins: [foreign] },
  })
  await server.addUser(email)
})

function post(path: string, payload: object, headers = {}) {
  return server.app.inject({ method: 'POST', url: `/auth/v1${path}`, payload, headers })
}

const hidden = (html: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** What a person does with the page of a link. */
function click(html: string) {
  const form = new URLSearchParams()
  for (const name of ['token', 'type', 'redirect_to']) form.set(name, hidden(html, name))
  return server.app.inject({
    method: 'POST',
    url: /action="([^"]+)"/.exec(html)?.[1] ?? '',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
}

async function linkTo(redirectTo: string, challenge: object = {}, path = '/recover') {
  const query = `?redirect_to=${encodeURIComponent(redirectTo)}`
  expect((await post(path + query, { email, ...challenge })).statusCode).toBe(200)
  return server.nextMail(email)
}

const verifier = 'v'.repeat(56)
const pkce = {
  code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  code_challenge_method: 's256',
}

describe('pitfall 9: PKCE', () => {
  async function authCode(): Promise<string> {
    const { link } = await linkTo(`${foreign}/in`, pkce)
    const page = await server.app.inject(link.pathname + link.search)
    const target = new URL(String((await click(page.body)).headers.location))
    expect(target.hash).toBe('')
    return target.searchParams.get('code') ?? ''
  }
  const exchange = (auth_code: string, code_verifier: string) =>
    post('/token?grant_type=pkce', { auth_code, code_verifier })

  it('codes are used once', async () => {
    const code = await authCode()
    expect((await exchange(code, verifier)).statusCode).toBe(200)
    const again = await exchange(code, verifier)
    expect([again.statusCode, again.json()]).toMatchObject([
      404,
      { error_code: 'flow_state_not_found' },
    ])
  })

  it('codes die after wrong verifiers, and after five minutes', async () => {
    const guessed = await authCode()
    for (let n = 0; n < 3; n += 1) {
      expect((await exchange(guessed, `wrong ${n}`)).json()).toMatchObject({
        error_code: 'bad_code_verifier',
      })
    }
    expect((await exchange(guessed, verifier)).statusCode).toBe(404)

    const late = await authCode()
    await server.database.pool.query(
      "update auth_flow_states set expires_at = expires_at - interval '301 seconds'",
    )
    expect((await exchange(late, verifier)).json()).toMatchObject({
      error_code: 'flow_state_expired',
    })
  })

  it('of the challenges only S256 counts', async () => {
    for (const challenge of [
      { code_challenge: verifier, code_challenge_method: 'plain' },
      { code_challenge: verifier },
      { code_challenge_method: 's256' },
      { code_challenge: 'short', code_challenge_method: 's256' },
    ]) {
      const reply = await post('/recover', { email, ...challenge })
      expect([reply.statusCode, reply.json()]).toMatchObject([
        400,
        { error_code: 'validation_failed' },
      ])
    }
    const none = { code_challenge: null, code_challenge_method: null }
    expect((await post('/recover', { email, ...none })).statusCode).toBe(200)
    await server.nextMail(email)
  })
})

describe('pitfall 10: a link that leads elsewhere', () => {
  it.each([
    'https://evil.example',
    'https://app.example.org.evil.example',
    'https://app.example.org@evil.example',
    'https://evil.example@app.example.org',
    'http://app.example.org',
    'https://app.example.org:8443',
    'javascript:alert(1)',
    '//evil.example',
  ])('%s is not followed', async (wanted) => {
    const { link, linked } = await linkTo(wanted)
    expect(link.origin).toBe('http://localhost:3000')
    expect(linked.get('redirect_to')).toBeNull()
    const got = await server.app.inject({
      url: `/auth/v1/verify?token=x&type=recovery&redirect_to=${encodeURIComponent(wanted)}`,
      headers: { referer: 'https://evil.example/', host: 'evil.example' },
    })
    expect(new URL(String(got.headers.location)).origin).toBe('http://localhost:3000')
  })
})

describe('pitfall 11: programs that fetch every link of a mail', () => {
  it('use nothing up, whatever the link is for', async () => {
    const { link } = await linkTo(`${foreign}/in?a=1&b=2`)
    for (let n = 0; n < 3; n += 1) {
      for (const method of ['GET', 'HEAD'] as const) {
        const looked = await server.app.inject({ method, url: link.pathname + link.search })
        expect(looked.statusCode).toBe(200)
      }
    }
    const page = await server.app.inject(link.pathname + link.search)
    expect(page.headers['referrer-policy']).toBe('no-referrer')
    expect(page.headers['cache-control']).toBe('no-store')
    expect(page.body).not.toContain('<script')
    const clicked = await click(page.body)
    const target = new URL(String(clicked.headers.location))
    expect([clicked.statusCode, target.origin, target.search]).toEqual([303, foreign, '?a=1&b=2'])
    const given = new URLSearchParams(target.hash.slice(1))
    expect(Object.fromEntries(given)).toMatchObject({ token_type: 'bearer', type: 'recovery' })
    expect(target.search).not.toContain('token')

    const used = await server.app.inject(link.pathname + link.search)
    expect(used.statusCode).toBe(303)
    const said = new URLSearchParams(new URL(String(used.headers.location)).hash.slice(1))
    expect(said.get('error_code')).toBe('otp_expired')
  })

  it('get no token of a link into our own application: it stands after the #', async () => {
    const { link, linked } = await linkTo('http://localhost:3000/reset-password?type=recovery')
    expect(link.origin + link.pathname + link.search).toBe('http://localhost:3000/confirm')
    expect([...linked.keys()]).toEqual(['token_hash', 'type', 'redirect_to'])
    expect(linked.get('redirect_to')).toBe('/reset-password?type=recovery')
  })
})

describe('pitfall 14: somebody changes the address of an account', () => {
  it('needs both addresses, and tells the old one', async () => {
    const old = 'vecchia@example.it'
    const wanted = 'nuova@example.it'
    await server.addUser(old)
    const headers = await server.signIn(old)
    const changed = await server.app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers,
      payload: { email: wanted },
    })
    expect(changed.json()).toMatchObject({ email: old, new_email: wanted })
    const [toOld, toNew] = [await server.nextMail(old), await server.nextMail(wanted)]
    const use = (token: string | null) =>
      post('/verify', { type: 'email_change', token_hash: token })
    const half = await use(toNew.linked.get('token_hash'))
    expect(half.json()).toMatchObject({ code: '200' })
    expect((await use(toNew.linked.get('token_hash'))).statusCode).toBe(403)
    const login = (address: string) =>
      post('/token?grant_type=password', { email: address, password })
    expect((await login(wanted)).statusCode).toBe(400)
    expect((await use(toOld.linked.get('token_hash'))).json()).toMatchObject({
      user: { email: wanted },
    })
    expect((await login(wanted)).statusCode).toBe(200)
  })

  it('gives nobody an address that was taken meanwhile, in whatever case', async () => {
    await server.addUser('lento@example.it')
    const headers = await server.signIn('lento@example.it')
    const payload = { email: 'Veloce@Example.it' }
    await server.app.inject({ method: 'PUT', url: '/auth/v1/user', headers, payload })
    const mails = [
      await server.nextMail('lento@example.it'),
      await server.nextMail('veloce@example.it'),
    ]
    await server.addUser('VELOCE@example.it')
    const replies = []
    for (const { linked } of mails) {
      const token = linked.get('token_hash')
      replies.push(await post('/verify', { type: 'email_change', token_hash: token }))
    }
    expect(replies[1]?.json()).toMatchObject({ error_code: 'email_exists' })
  })
})

describe('pitfall 17: the Host header', () => {
  it('has no say in the links of mails', async () => {
    await post('/recover', { email }, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    const mail = await server.nextMail(email)
    expect(mail.link.origin).toBe('http://localhost:3000')
    expect(mail.html + mail.text).not.toContain('evil')
  })
})

describe('pitfall 15: limits', () => {
  const strict = {
    'mail-interval': { points: 1, seconds: 60 },
    'mail-address': { points: 4, seconds: 60 },
    'login-pair': { points: 3, seconds: 60 },
    'login-address': { points: 12, seconds: 60 },
    'login-account': { points: 5, seconds: 60 },
    'refresh-address': { points: 3, seconds: 60 },
    'verify-address': { points: 3, seconds: 60 },
  }
  let limited: AuthServer
  beforeAll(async () => {
    limited = await authServer({ limits: { ...noLimits, ...strict } })
    await limited.addUser(email)
    await limited.addUser('altra@example.it')
    await limited.addUser('terza@example.it')
  })
  type From = { from?: string }
  const ask = (path: string, payload: object, { from = '192.0.2.1' }: From = {}) =>
    limited.app.inject({
      method: 'POST',
      url: `/auth/v1${path}`,
      payload,
      remoteAddress: from,
      headers: { 'x-forwarded-for': `203.0.113.${Math.floor(Math.random() * 255)}` },
    })
  const login = (address: string, text: string, from?: string) =>
    ask('/token?grant_type=password', { email: address, password: text }, from ? { from } : {})

  it('of sign-ins are by account and place, and a right password begins anew', async () => {
    for (let n = 0; n < 2; n += 1) expect((await login(email, 'wrong')).statusCode).toBe(400)
    expect((await login(email, password)).statusCode).toBe(200)
    for (let n = 0; n < 3; n += 1) expect((await login(email, 'wrong')).statusCode).toBe(400)
    const refused = await login(email, password)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      { error_code: 'over_request_rate_limit' },
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await login('altra@example.it', password)).statusCode).toBe(200)
  })

  it('lock nobody out of an account that strangers try from everywhere', async () => {
    const account = 'altra@example.it'
    for (let n = 0; n < 8; n += 1) await login(account, 'wrong', `198.51.100.${n}`)
    const stranger = await login(account, password, '198.51.100.99')
    expect(stranger.statusCode).toBe(429)
    expect((await login(account, password, '192.0.2.1')).statusCode).toBe(200)
  })

  it('of sign-ins are by place too, where many accounts are tried', async () => {
    const from = '2001:db8::1'
    const statuses = []
    for (let n = 0; n < 14; n += 1) {
      // Another address of the same network each time.
      statuses.push((await login(`n${n}@example.it`, 'wrong', `2001:db8::${n + 1}`)).statusCode)
    }
    expect(statuses.slice(0, 12)).toEqual(Array(12).fill(400))
    expect(statuses.slice(12)).toEqual([429, 429])
    expect((await login('altra@example.it', password, from)).statusCode).toBe(429)
  })

  it('of mails are by address, the same for one that nobody has', async () => {
    for (const address of [email, 'nessuno@example.it']) {
      const from = { from: '192.0.2.50' }
      expect((await ask('/recover', { email: address }, from)).statusCode).toBe(200)
      const again = await ask('/otp', { email: address }, from)
      expect(again.json()).toMatchObject({ error_code: 'over_email_send_rate_limit' })
      expect(again.json<{ msg: string }>().msg).toMatch(/only request this after \d+ seconds/)
    }
    const other = await ask('/recover', { email: 'x@example.it' }, { from: '192.0.2.50' })
    expect(other.json()).toMatchObject({ error_code: 'over_request_rate_limit' })
  })

  it('of each kind are apart: who is refused at one may use the others', async () => {
    const from = { from: '192.0.2.77' }
    const invented = { refresh_token: 'x'.repeat(43) }
    for (let n = 0; n < 3; n += 1) await ask('/token?grant_type=refresh_token', invented, from)
    const refused = await ask('/token?grant_type=refresh_token', invented, from)
    expect(refused.statusCode).toBe(429)
    const wrong = { email: 'x@example.it', token: '000000', type: 'email' }
    for (let n = 0; n < 3; n += 1) {
      expect((await ask('/verify', wrong, from)).statusCode).toBe(403)
    }
    expect((await ask('/verify', wrong, from)).statusCode).toBe(429)
    const signedIn = await login('terza@example.it', password, from.from)
    expect(signedIn.statusCode).toBe(200)
    // A real token is refreshed from there all the same.
    let token = signedIn.json<{ refresh_token: string }>().refresh_token
    for (let n = 0; n < 20; n += 1) {
      const reply = await ask('/token?grant_type=refresh_token', { refresh_token: token }, from)
      expect(reply.statusCode).toBe(200)
      token = reply.json<{ refresh_token: string }>().refresh_token
    }
  })
})
