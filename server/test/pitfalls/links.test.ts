import { beforeAll, describe, expect, it } from 'vitest'
import { type AuthServer, authServer, noLimits } from '../auth-server.ts'
import { password } from '../server.ts'
import { expectRefused } from './replies.ts'

/** Known pitfalls of links and limits. */

const email = 'farmacia@example.it'
let server: AuthServer

beforeAll(async () => {
  server = await authServer()
  await server.addUser(email)
})

function post(path: string, payload: object, headers = {}) {
  return server.app.inject({ method: 'POST', url: `/auth/v1${path}`, payload, headers })
}

describe('pitfalls 10 and 17: a link that leads elsewhere', () => {
  const elsewhere = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }

  it.each(['https://evil.example', '//evil.example', undefined])(
    'is in no mail that asks for %s, whatever the Host header',
    async (wanted) => {
      const query = wanted === undefined ? '' : `?redirect_to=${encodeURIComponent(wanted)}`
      await post(`/recover${query}`, { email }, elsewhere)
      const mail = await server.nextMail(email)
      expect(mail.link.origin).toBe('http://localhost:3000')
      expect(mail.html + mail.text).not.toContain('evil')
    },
  )

  it('is led to by no page, whatever its headers', async () => {
    const url = '/auth/v1/verify?token=x&type=recovery&redirect_to=https%3A%2F%2Fevil.example'
    const headers = { ...elsewhere, referer: 'https://evil.example/' }
    const { headers: got } = await server.app.inject({ url, headers })
    expect(new URL(String(got.location)).origin).toBe('http://localhost:3000')
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
    expectRefused(refused, 429, 'over_request_rate_limit')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await login('altra@example.it', password)).statusCode).toBe(200)
  })

  it('do not lock the owner out of an account that strangers try from everywhere', async () => {
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

  it('of mails are by address, the same for one without an account', async () => {
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
    // A valid token is still refreshed from there.
    let token = signedIn.json<{ refresh_token: string }>().refresh_token
    for (let n = 0; n < 20; n += 1) {
      const reply = await ask('/token?grant_type=refresh_token', { refresh_token: token }, from)
      expect(reply.statusCode).toBe(200)
      token = reply.json<{ refresh_token: string }>().refresh_token
    }
  })
})
