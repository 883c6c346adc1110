import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { createAdministratorsStore } from '../../src/features/administrators/administrators.store.ts'
import { type AuthServer, authServer, noLimits } from '../auth-server.ts'
import { password, testAuth } from '../server.ts'
import { expectRefused } from './replies.ts'

/** What an attacker with earlier or no access must not be able to do to an account. */

const plenty = { points: 100_000, seconds: 60 }
let server: AuthServer
let admin: { authorization: string }
let adminId: string

beforeAll(async () => {
  server = await authServer({
    auth: { ...testAuth, signup: true },
    limits: {
      ...noLimits,
      'login-pair': plenty,
      'login-pair-hour': plenty,
      'mail-pair': plenty,
      'own-mail-interval': plenty,
    },
  })
  adminId = await server.addUser('admin@example.it')
  await createAdministratorsStore(server.database.db).insert(adminId)
  admin = await server.signIn('admin@example.it')
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

function call(method: Method, path: string, payload?: object, headers = {}) {
  const url = `/auth/v1${path}`
  return server.app.inject({ method, url, headers, ...(payload && { payload }) })
}

const login = (email: string, text: string) =>
  call('POST', '/token?grant_type=password', { email, password: text })

const use = (mail: { linked: URLSearchParams }, type: string) =>
  call('POST', '/verify', { token_hash: mail.linked.get('token_hash'), type })

const query = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await server.database.pool.query<Row>(text, values)).rows

const changeOf = (id: string) =>
  query('select new_email, new_email_confirmed_by from auth_users where id = $1', [id])

/** Waits until all enqueued mails are written. */
const allSent = () =>
  vi.waitUntil(
    async () => (await query('select from graphile_worker._private_jobs')).length === 0,
    { timeout: 10_000, interval: 20 },
  )

const mailsTo = async (email: string) => {
  await allSent()
  return (await server.mails()).filter(({ to }) => to === email)
}

async function user(email: string) {
  const id = await server.addUser(email)
  return { id, headers: await server.signIn(email) }
}

describe('a new password', () => {
  /** Signs in continuously and in parallel until the old password is refused. */
  async function whileSignedInto(email: string, change: () => Promise<{ statusCode: number }>) {
    const tokens: string[] = []
    const knock = async (): Promise<void> => {
      const reply = await login(email, password)
      if (reply.statusCode !== 200) return
      tokens.push(reply.json<{ access_token: string }>().access_token)
      return knock()
    }
    const knocking = Promise.all(Array.from({ length: 5 }, knock))
    await vi.waitUntil(() => tokens.length > 5, { timeout: 10_000, interval: 5 })
    expect((await change()).statusCode).toBe(200)
    await knocking
    const alive = []
    for (const token of tokens) {
      const headers = { authorization: `Bearer ${token}` }
      const { statusCode } = await call('GET', '/user', undefined, headers)
      if (statusCode === 200) alive.push(token)
    }
    return alive
  }

  it('of its owner leaves no session that the old one was opening meanwhile', async () => {
    const { id, headers } = await user('corsa@example.it')
    const alive = await whileSignedInto('corsa@example.it', () =>
      call('PUT', '/user', { password: 'una frase tutta nuova' }, headers),
    )
    expect(alive).toEqual([])
    expect((await call('GET', '/user', undefined, headers)).statusCode).toBe(200)
    expect(await query('select from auth_sessions where user_id = $1', [id])).toHaveLength(1)
  }, 30_000)

  it('of an administrator leaves no session at all', async () => {
    const { id } = await user('corsa2@example.it')
    const alive = await whileSignedInto('corsa2@example.it', () =>
      call('PUT', `/admin/users/${id}`, { password: 'una frase tutta nuova' }, admin),
    )
    expect(alive).toEqual([])
    expect(await query('select from auth_sessions where user_id = $1', [id])).toEqual([])
  }, 30_000)

  it('ends a change of address that was agreed to by half', async () => {
    const email = 'titolare@example.it'
    const evil = 'ladro@example.it'
    const { id, headers: own } = await user(email)
    const thief = await server.signIn(email)
    expect((await call('PUT', '/user', { email: evil }, thief)).statusCode).toBe(200)
    const [toOwner, toThief] = [await server.nextMail(email), await server.nextMail(evil)]
    expect((await use(toOwner, 'email_change')).statusCode).toBe(200)
    expect(await changeOf(id)).toEqual([{ new_email: evil, new_email_confirmed_by: 'current' }])

    const changed = await call('PUT', '/user', { password: 'una frase tutta nuova' }, own)
    expect(changed.statusCode).toBe(200)
    expect(changed.json<{ new_email?: string }>().new_email ?? '').toBe('')
    expect(await changeOf(id)).toEqual([{ new_email: null, new_email_confirmed_by: null }])
    await allSent()
    const sent = (await server.mails()).length
    const again = await call('POST', '/resend', { email, type: 'email_change' })
    expect(again.statusCode).toBe(200)
    await allSent()
    expect(await server.mails()).toHaveLength(sent)
    expect((await use(toThief, 'email_change')).json()).toMatchObject({ error_code: 'otp_expired' })
    expect((await login(email, 'una frase tutta nuova')).statusCode).toBe(200)
  })

  it('set by an administrator is told to the user, and never of their own session', async () => {
    const { id } = await user('avvisato@example.it')
    const change = { password: 'una frase tutta nuova' }
    expect((await call('PUT', `/admin/users/${id}`, change, admin)).statusCode).toBe(200)
    const mail = await server.nextMail('avvisato@example.it')
    expect(mail.subject).toMatch(/password/i)
    expect(mail.linked.get('token_hash')).toBeNull()

    for (const own of [change, { email: 'altro.admin@example.it' }]) {
      const reply = await call('PUT', `/admin/users/${adminId}`, own, admin)
      expectRefused(reply, 403, 'not_admin')
    }
    expect((await login('admin@example.it', password)).statusCode).toBe(200)
  })
})

describe('a change of address', () => {
  it('that was asked for more than a day ago is not sent again', async () => {
    const email = 'ieri@example.it'
    const { id, headers } = await user(email)
    await call('PUT', '/user', { email: 'domani@example.it' }, headers)
    await server.nextMail(email)
    await server.nextMail('domani@example.it')
    // Within the day it still works.
    await call('POST', '/resend', { email, type: 'email_change' })
    await server.nextMail(email)
    await server.nextMail('domani@example.it')
    await allSent()
    await query(
      `update auth_users set email_change_sent_at = email_change_sent_at - interval '25 hours'
       where id = $1`,
      [id],
    )
    await call('POST', '/resend', { email, type: 'email_change' })
    expect(await mailsTo(email)).toHaveLength(2)
    expect(await mailsTo('domani@example.it')).toHaveLength(2)
  })

  it('to another one makes the links of the first worthless at once', async () => {
    const email = 'indeciso@example.it'
    const { id, headers } = await user(email)
    await call('PUT', '/user', { email: 'mia@example.it' }, headers)
    const [toOld, toMine] = [await server.nextMail(email), await server.nextMail('mia@example.it')]
    await allSent()
    // From now on mail jobs wait, as if many others were ahead.
    await query(`create function later() returns trigger language plpgsql as
      $$ begin new.run_at := now() + interval '1 hour'; return new; end $$`)
    await query(`create trigger later before insert on graphile_worker._private_jobs
      for each row execute function later()`)
    try {
      const wanted = 'vittima@example.it'
      expect((await call('PUT', '/user', { email: wanted }, headers)).statusCode).toBe(200)
      for (const mail of [toMine, toOld]) {
        const reply = await use(mail, 'email_change')
        expectRefused(reply, 403, 'otp_expired')
      }
      expect(await changeOf(id)).toEqual([{ new_email: wanted, new_email_confirmed_by: null }])
    } finally {
      await query('drop trigger later on graphile_worker._private_jobs')
      await query('delete from graphile_worker._private_jobs')
    }
  })

  it('by an administrator makes what was sent to the wrong one worthless', async () => {
    const wrong = 'mario@gmial.example'
    const right = 'mario@gmail.example'
    const invited = await call('POST', '/invite', { email: wrong }, admin)
    const { id } = invited.json<{ id: string }>()
    const invite = await server.nextMail(wrong)
    await call('POST', '/recover', { email: wrong })
    const recovery = await server.nextMail(wrong)
    await call('POST', '/otp', { email: wrong })
    const magiclink = await server.nextMail(wrong)
    const put = await call('PUT', `/admin/users/${id}`, { email: right }, admin)
    expect(put.json()).toMatchObject({ email: right })
    for (const [type, mail] of Object.entries({ invite, recovery, magiclink })) {
      const reply = await use(mail, type)
      expect([type, reply.json()]).toMatchObject([type, { error_code: 'otp_expired' }])
    }
    const [row] = await query('select email_confirmed_at from auth_users where id = $1', [id])
    expect(row).toEqual({ email_confirmed_at: null })
  })
})

describe('signing up', () => {
  const first = 'la frase di chi arriva'
  const other = 'la frase di un estraneo'

  it('again with the same password keeps it', async () => {
    const email = 'insistente@example.it'
    await call('POST', '/signup', { email, password: first })
    await server.nextMail(email)
    await call('POST', '/signup', { email, password: first })
    expect((await use(await server.nextMail(email), 'signup')).statusCode).toBe(200)
    expect((await login(email, first)).statusCode).toBe(200)
  })

  it.each(['made', 'invited'])('does not touch who was %s by an administrator', async (how) => {
    const email = `${how}@example.it`
    const made = { email, password: first, user_metadata: { role: 'banco' } }
    const invited = { email, data: { role: 'banco' } }
    const reply =
      how === 'made'
        ? await call('POST', '/admin/users', made, admin)
        : await call('POST', '/invite', invited, admin)
    const { id } = reply.json<{ id: string }>()
    const kept = () =>
      query('select id, password_hash, user_metadata from auth_users where lower(email) = $1', [
        email,
      ])
    const before = await kept()
    expect(before).toMatchObject([{ id, user_metadata: { role: 'banco' } }])
    const signup = { email, password: other, data: { role: 'intruso' } }
    expect((await call('POST', '/signup', signup)).statusCode).toBe(200)
    await allSent()
    expect(await kept()).toEqual(before)
    expect((await login(email, other)).json()).toMatchObject({ error_code: 'invalid_credentials' })
  })
})

describe('mails that strangers ask for', () => {
  const everyTime = { limits: { 'mail-interval': plenty } }
  const recover = (at: AuthServer, email: string, remoteAddress: string) =>
    at.app.inject({ method: 'POST', url: '/auth/v1/recover', payload: { email }, remoteAddress })

  it('from one place leave the owner of the address theirs', async () => {
    const limited = await authServer(everyTime)
    const email = 'disturbato@example.it'
    await limited.addUser(email)
    const headers = await limited.signIn(email)
    const statuses = []
    for (let n = 0; n < 12; n += 1) {
      statuses.push((await recover(limited, email, '198.51.100.9')).statusCode)
    }
    expect(statuses.at(-1)).toBe(429)
    const from = { headers, remoteAddress: '192.0.2.1' }
    expect((await recover(limited, email, from.remoteAddress)).statusCode).toBe(200)
    const nonce = await limited.app.inject({ url: '/auth/v1/reauthenticate', ...from })
    expect(nonce.statusCode).toBe(200)
  })

  it('from everywhere together have an end', async () => {
    const limited = await authServer({
      limits: { ...noLimits, 'mail-account': { points: 3, seconds: 3600 } },
    })
    const statuses = []
    for (let n = 0; n < 5; n += 1) {
      statuses.push((await recover(limited, 'a@example.it', `198.51.100.${n}`)).statusCode)
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429])
  })

  it('with PKCE do not make the plain link that was sent before worthless', async () => {
    const email = 'paziente@example.it'
    await server.addUser(email)
    await call('POST', '/recover', { email })
    const own = await server.nextMail(email)
    const challenge = createHash('sha256').update('x'.repeat(60)).digest('base64url')
    const pkce = { code_challenge: challenge, code_challenge_method: 's256' }
    expect((await call('POST', '/recover', { email, ...pkce })).statusCode).toBe(200)
    await allSent()
    const used = await use(own, 'recovery')
    expect([used.statusCode, used.json()]).toMatchObject([200, { user: { email } }])
  })
})
