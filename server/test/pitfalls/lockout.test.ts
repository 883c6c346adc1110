import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthServer, authServer } from '../auth-server.ts'
import { password } from '../server.ts'

/** A known pitfall of authentication servers: strangers who use up the attempts of an account's owner. */

/** The address of everybody, as behind a proxy that is not configured. */
const SHARED = '192.0.2.1'
const WRONG_CODE = 'x00000'

let server: AuthServer
let email: string
let made = 0

beforeAll(async () => {
  const limits = {
    'login-address': { points: 14, seconds: 900 },
    'login-account': { points: 5, seconds: 3600 },
  }
  server = await authServer({ limits })
})

beforeEach(async () => {
  await server.database.pool.query('delete from rate_limits')
  email = `owner-${(made += 1)}@example.it`
  await server.addUser(email)
})

type From = { from?: string; cookie?: string | undefined }

const post = (path: string, payload: object, { from = SHARED, cookie }: From = {}) =>
  server.app.inject({
    method: 'POST',
    url: `/auth/v1${path}`,
    payload,
    remoteAddress: from,
    headers: cookie === undefined ? {} : { cookie },
  })

const login = (text: string, from: From = {}, address = email) =>
  post('/token?grant_type=password', { email: address, password: text }, from)

const verify = (token: string, from: From = {}) =>
  post('/verify', { email, token, type: 'magiclink' }, from)

const cookieOf = (reply: { headers: Record<string, unknown> }) =>
  String(reply.headers['set-cookie']).split(';')[0]

async function wrongPasswords(count: number, from: (n: number) => From) {
  for (let n = 0; n < count; n += 1) await login('wrong', from(n))
}

describe('a device in which an account has signed in', () => {
  it('is marked for that account, and the mark is no sign-in', async () => {
    const reply = await login(password)
    expect(reply.headers['set-cookie']).toMatch(
      /^bancone-device-[\w-]{16}=[\w-]{22}\.\d{13}\.[\w-]{43}; Path=\/auth\/v1; Max-Age=7776000; HttpOnly; SameSite=Lax$/,
    )
    const cookie = cookieOf(reply)
    const again = await login(password, { cookie })
    const deviceOf = (text = '') => text.split('.')[0]
    expect(deviceOf(cookieOf(again))).toBe(deviceOf(cookie))
    expect((await login('wrong', { cookie })).statusCode).toBe(400)
    const { refresh_token } = reply.json<{ refresh_token: string }>()
    const refreshed = await post('/token?grant_type=refresh_token', { refresh_token })
    expect(refreshed.headers['set-cookie']).toMatch(/^bancone-device-/)
  })

  it('signs in while strangers at its own address try passwords', async () => {
    const cookie = cookieOf(await login(password))
    await wrongPasswords(8, () => ({}))
    expect((await login(password)).statusCode).toBe(429)
    expect((await login(password, { cookie })).statusCode).toBe(200)
    for (let n = 0; n < 10; n += 1) await login('wrong', {}, `nobody-${n}@example.it`)
    expect((await login(password, {}, 'nobody@example.it')).statusCode).toBe(429)
    expect((await login(password, { cookie })).statusCode).toBe(200)
  })

  it('signs in while strangers try passwords from everywhere, also at a new address', async () => {
    const cookie = cookieOf(await login(password))
    await wrongPasswords(8, (n) => ({ from: `198.51.100.${n}` }))
    const from = '203.0.113.9'
    expect((await login(password, { from })).statusCode).toBe(429)
    expect((await login(password, { from, cookie })).statusCode).toBe(200)
  })

  it('has a count of its own, which is not that of another account or device', async () => {
    const cookie = cookieOf(await login(password))
    for (let n = 0; n < 6; n += 1) {
      expect((await login('wrong', { cookie })).statusCode).toBe(400)
    }
    expect((await login(password, { cookie })).statusCode).toBe(429)
    expect((await login(password)).statusCode).toBe(200)
    const other = `other-${made}@example.it`
    await server.addUser(other)
    await wrongPasswords(8, () => ({}))
    const forOther = cookieOf(await login(password, { from: '203.0.113.8' }, other))
    expect((await login(password, { cookie: forOther })).statusCode).toBe(429)
  })

  it.each([
    ['a made-up one', (cookie: string) => cookie.replace(/=[\w-]+\./, '=AAAAAAAAAAAAAAAAAAAAAA.')],
    ['one that lasts longer', (cookie: string) => cookie.replace(/\.\d/, '.9')],
    ['a part of one', (cookie: string) => cookie.slice(0, -2)],
    ['one that has ended', (cookie: string) => cookie.replace(/\.\d{13}\./, '.1000000000000.')],
  ])('is not %s', async (_what, forge) => {
    const cookie = forge(cookieOf(await login(password)) ?? '')
    await wrongPasswords(8, () => ({}))
    expect((await login(password, { cookie })).statusCode).toBe(429)
  })
})

describe('a mailed code', () => {
  async function mailedCode() {
    await post('/otp', { email, create_user: false }, { from: '203.0.113.50' })
    return (await server.nextMail(email)).code
  }
  const strangers = async (count: number) => {
    for (let n = 0; n < count; n += 1) await verify(WRONG_CODE, { from: `198.51.100.${n}` })
  }

  it('that strangers try in vain still serves on a device or at an address of the owner', async () => {
    const cookie = cookieOf(await login(password))
    const ways = [{ from: '203.0.113.9', cookie }, { from: SHARED }]
    for (const [n, way] of ways.entries()) {
      await server.database.pool.query('delete from rate_limits')
      const code = await mailedCode()
      await strangers(11)
      expect((await verify(code, { from: `203.0.113.1${n}` })).statusCode).toBe(403)
      expect((await verify(code, way)).statusCode).toBe(200)
    }
  })

  it('that everybody at the own address tries serves on the device', async () => {
    const cookie = cookieOf(await login(password))
    const code = await mailedCode()
    for (let n = 0; n < 35; n += 1) await verify(WRONG_CODE)
    expect((await verify(code)).statusCode).toBe(429)
    expect((await verify(code, { cookie })).statusCode).toBe(200)
  })

  it('is worthless after five wrong ones of a device too, and devices share their ten a day', async () => {
    const cookies = [cookieOf(await login(password)), cookieOf(await login(password))]
    const [one, other] = cookies
    const first = await mailedCode()
    for (let n = 0; n < 5; n += 1) await verify(WRONG_CODE, { cookie: one })
    expect((await verify(first, { cookie: other })).statusCode).toBe(403)
    await server.database.pool.query("delete from rate_limits where key like 'mail-%'")
    const second = await mailedCode()
    for (let n = 0; n < 4; n += 1) await verify(WRONG_CODE, { cookie: other })
    expect((await verify(second, { cookie: one })).statusCode).toBe(403)
  })

  it('of a new proof is not spent by those who have no session', async () => {
    const signedIn = await login(password)
    const { access_token } = signedIn.json<{ access_token: string }>()
    const headers = { authorization: `Bearer ${access_token}` }
    await server.app.inject({ url: '/auth/v1/reauthenticate', headers })
    const { code: nonce } = await server.nextMail(email)
    await strangers(11)
    const reply = await server.app.inject({
      method: 'PUT',
      url: '/auth/v1/user',
      headers,
      payload: { password: 'una frase tutta nuova', nonce },
    })
    expect(reply.statusCode).toBe(200)
  })
})
