import { ACTIVITY_PAGE_SIZE, AccountActivity } from '@bancone/contract/account'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AuthServer, authServer } from '../../../test/auth-server.ts'
import { mailsTo, tokenOf } from '../../../test/conformance/mails.ts'
import { textLike } from '../../../test/conformance/matchers.ts'
import { addFactor } from '../../../test/second-factor.ts'
import { password, testAuth } from '../../../test/server.ts'

type Caller = { authorization: string }

const ADMIN_KEY = 'the key of a server, forty characters long'.replaceAll(' ', '-')
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const curl = 'curl/8.5.0'
const unknown = { browser: null, system: null, kind: 'other' }
const here = {
  device: { browser: 'Firefox', system: 'Windows', kind: 'desktop' },
  address: '192.0.2.7',
}

let server: AuthServer
let email: string
let userId: string
let made = 0

beforeAll(async () => {
  server = await authServer({ auth: { ...testAuth, adminKey: ADMIN_KEY } })
})

beforeEach(async () => {
  made += 1
  email = `activity-${made}@example.it`
  userId = await server.addPharmacy({ email, code: `ACT-${made}` })
})

function call(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, headers = {}) {
  return server.app.inject({
    method,
    url,
    headers: { 'user-agent': firefox, ...headers },
    remoteAddress: '192.0.2.7',
    ...(payload && { payload }),
  })
}

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

async function signIn(who = email, given = password): Promise<Caller & { refresh: string }> {
  const grant = { email: who, password: given }
  const reply = await call('POST', '/auth/v1/token?grant_type=password', grant)
  const { access_token: token, refresh_token: refresh } = Tokens.parse(reply.json())
  return { authorization: `Bearer ${token}`, refresh }
}

const Page = z.object({ events: z.array(AccountActivity), hasMore: z.boolean() })

async function page({ authorization }: Caller, before?: string) {
  const query = before === undefined ? '' : `?before=${before}`
  const reply = await call('GET', `/api/account/activity${query}`, undefined, { authorization })
  expect(reply.statusCode, reply.body).toBe(200)
  return Page.parse(reply.json())
}

/** The kinds, the oldest first. */
async function kinds(caller: Caller) {
  return (await page(caller)).events.map(({ kind }) => kind).toReversed()
}

/** `count` times something that is told, at the given moment. */
async function happened(count: number, at: string, action = 'sign_in_failed') {
  await server.database.pool.query(
    'insert into audit_events (action, user_id, at) select $1, $2, $3 from generate_series(1, $4::int)',
    [action, userId, at, count],
  )
}

describe('what happened to an account', () => {
  it('is told with how, with what and from where', async () => {
    const wrong = { email, password: 'wrong' }
    await call('POST', '/auth/v1/token?grant_type=password', wrong, { 'user-agent': curl })
    const { events, hasMore } = await page(await signIn())
    expect([hasMore, events]).toEqual([
      false,
      [
        {
          id: textLike(/^\d+$/),
          at: textLike(/^\d{4}-.*Z$/),
          kind: 'signed_in',
          method: 'password',
          ...here,
        },
        expect.objectContaining({ kind: 'sign_in_failed', device: unknown, method: null }),
      ],
    ])
  })

  it('is told of the password: tried, proved, changed', async () => {
    const own = await signIn()
    const change = (body: object) => call('PUT', '/auth/v1/user', body, own)
    await change({ password: 'una frase tutta nuova', current_password: 'wrong' })
    await change({ password: 'una frase tutta nuova', nonce: '123456' })
    await change({ password: 'una frase tutta nuova', current_password: password })
    expect(await kinds(own)).toEqual([
      'signed_in',
      'confirmation_failed',
      'confirmation_failed',
      'password_changed',
    ])
    for (const event of (await page(own)).events) expect(event).toMatchObject(here)
  })

  it('is told of the address: once when it is asked for, once when both have agreed', async () => {
    const own = await signIn()
    const wanted = `new-${made}@example.it`
    await call('PUT', '/auth/v1/user', { email: wanted }, own)
    const tokens = [await mailsTo(server, email), await mailsTo(server, wanted)]
    const seen: string[][] = []
    for (const [mail] of tokens) {
      const token = mail && tokenOf(mail)
      await call('POST', '/auth/v1/verify', { type: 'email_change', token_hash: token })
      seen.push(await kinds(own))
    }
    expect(seen).toEqual([
      ['signed_in', 'email_change_asked'],
      ['signed_in', 'email_change_asked', 'email_changed', 'signed_in'],
    ])
    const changed = (await page(own)).events.find(({ kind }) => kind === 'email_changed')
    expect(changed).toMatchObject(here)
  })

  it('contains a sign-in by link, and the kind of link', async () => {
    await call('POST', '/auth/v1/recover', { email })
    await call('POST', '/auth/v1/otp', { email, create_user: false })
    for (const mail of await mailsTo(server, email)) {
      const type = mail.linked.get('type')
      await call('POST', '/auth/v1/verify', { type, token_hash: tokenOf(mail) })
    }
    const own = await signIn()
    const { events } = await page(own)
    expect(events.map(({ kind, method }) => [kind, method]).toReversed()).toEqual(
      expect.arrayContaining([
        ['recovery_link_used', null],
        ['signed_in', 'otp'],
        ['signed_in', 'otp'],
        ['signed_in', 'password'],
      ]),
    )
    expect(events).toHaveLength(4)
  })

  it('is told of sessions: left, ended from another device, renewed with a stolen token', async () => {
    const own = await signIn()
    await call('POST', '/auth/v1/logout?scope=local', undefined, await signIn())
    await signIn()
    await call('POST', '/auth/v1/logout?scope=others', undefined, own)
    const robbed = await signIn()
    const renew = (token: string) =>
      call('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token: token })
    const second = Tokens.parse((await renew(robbed.refresh)).json())
    await renew(second.refresh_token)
    await server.database.pool.query(
      "update auth_refresh_tokens set replaced_at = now() - interval '1 hour' where replaced_at is not null",
    )
    expect((await renew(robbed.refresh)).statusCode).toBe(400)
    expect((await kinds(own)).filter((kind) => kind !== 'signed_in')).toEqual([
      'signed_out',
      'session_ended',
      'refresh_token_reused',
    ])
  })

  it('is told of administrators, but not from where they did it', async () => {
    const admin = `admin-${made}@example.it`
    await server.addAdministrator({ email: admin })
    const asAdmin = await signIn(admin)
    const theirs = `/auth/v1/admin/users/${userId}`
    await call('POST', '/auth/v1/admin/generate_link', { type: 'recovery', email }, asAdmin)
    await call('PUT', theirs, { password: 'scelta da altri' }, asAdmin)
    const byKey = { authorization: `Bearer ${ADMIN_KEY}` }
    const payload = { user_metadata: { name: 'Ada' } }
    const factor = `${theirs}/factors/${await addFactor(server.database, userId)}`
    for (const asked of [
      { method: 'PUT', url: theirs, payload },
      { method: 'DELETE', url: factor },
    ] as const) {
      expect((await server.app.inject({ ...asked, headers: byKey })).statusCode).toBe(200)
    }
    const own = await signIn(email, 'scelta da altri')
    const { events } = await page(own)
    expect(events.map(({ kind }) => kind)).toEqual([
      'signed_in',
      'factor_removed_by_administrator',
      'account_changed_by_administrator',
      'account_changed_by_administrator',
      'link_made_by_administrator',
    ])
    for (const { device, address } of events.slice(1)) {
      expect([device, address]).toEqual([unknown, null])
    }
    expect((await kinds(asAdmin)).filter((kind) => kind !== 'signed_in')).toEqual([])
  })

  it('is told of the invitation, but not of mails and other steps on the way', async () => {
    const admin = `admin-${made}@example.it`
    const invited = `invited-${made}@example.it`
    await server.addAdministrator({ email: admin })
    await call('POST', '/auth/v1/invite', { email: invited }, await signIn(admin))
    const [mail] = await mailsTo(server, invited)
    const token = mail && tokenOf(mail)
    const reply = await call('POST', '/auth/v1/verify', { type: 'invite', token_hash: token })
    const authorization = `Bearer ${Tokens.parse(reply.json()).access_token}`
    await server.database.pool.query(
      'insert into pharmacy_members (pharmacy_id, user_id, name, role) select $1, id, $2, $3 from auth_users where email = $4',
      [userId, 'Ada', 'staff', invited],
    )
    expect(await kinds({ authorization })).toEqual(['invited', 'signed_in'])
  })

  it('cannot be read by others, also of the same pharmacy', async () => {
    const staff = `staff-${made}@example.it`
    await server.addColleague({ email: staff, pharmacyId: userId })
    await happened(3, '2026-01-01T00:00:00Z')
    const [colleague, owner] = [await signIn(staff), await signIn()]
    expect(await kinds(owner)).toHaveLength(4)
    expect(await kinds(colleague)).toEqual(['signed_in'])
    // Not even when it was, beside what is one's own.
    const [newest] = (await page(owner)).events
    expect((await page(colleague, newest?.id)).events).toEqual([])
  })

  it('holds nothing that was typed, nor any token', async () => {
    const own = await signIn()
    const secrets = ['una frase segreta', 'indovinata per caso', `segreto-${made}@example.it`]
    const [next = '', guess = '', address = ''] = secrets
    await call('PUT', '/auth/v1/user', { password: next, current_password: guess }, own)
    await call('PUT', '/auth/v1/user', { password: next, nonce: '918273' }, own)
    await call('PUT', '/auth/v1/user', { password: next, current_password: password }, own)
    await call('PUT', '/auth/v1/user', { email: address }, own)
    await call('POST', '/auth/v1/recover', { email })
    const tokens = (await mailsTo(server, email)).map((mail) => mail.linked.get('token_hash'))
    const { rows } = await server.database.pool.query<{ kept: string }>(
      'select each::text as kept from audit_events each where user_id = $1',
      [userId],
    )
    expect(rows.length).toBeGreaterThan(5)
    const known = [...secrets, '918273', password, own.refresh, own.authorization.slice(7)]
    for (const { kept } of rows) {
      for (const secret of [...known, ...tokens.filter((token) => token !== null)]) {
        expect(kept).not.toContain(secret)
      }
    }
  })
})

describe('the pages of what happened', () => {
  async function all(caller: Caller) {
    const sizes: number[] = []
    const ids: string[] = []
    for (;;) {
      const { events, hasMore } = await page(caller, ids.at(-1))
      sizes.push(events.length)
      ids.push(...events.map(({ id }) => id))
      if (!hasMore) return { sizes, ids }
    }
  }

  it('hold each event once, also of those at one moment', async () => {
    const own = await signIn()
    await happened(ACTIVITY_PAGE_SIZE * 2, '2026-01-02T00:00:00.123456Z')
    await happened(ACTIVITY_PAGE_SIZE + 5, '2026-01-01T00:00:00Z')
    // Which are not listed, and which take no place.
    await happened(ACTIVITY_PAGE_SIZE * 3, '2026-01-02T00:00:00.123456Z', 'mail_sent')
    const { sizes, ids } = await all(own)
    expect(sizes).toEqual([ACTIVITY_PAGE_SIZE, ACTIVITY_PAGE_SIZE, ACTIVITY_PAGE_SIZE, 6])
    expect(new Set(ids).size).toBe(ids.length)
    // The last page says so, also when it is full.
    await happened(ACTIVITY_PAGE_SIZE - 6, '2025-01-01T00:00:00Z')
    expect((await all(own)).sizes).toEqual(Array(4).fill(ACTIVITY_PAGE_SIZE))
  })

  it('are in the order of time, whatever was written first', async () => {
    const own = await signIn()
    await happened(ACTIVITY_PAGE_SIZE, '2026-01-01T00:00:00Z')
    await happened(ACTIVITY_PAGE_SIZE, '2025-01-01T00:00:00Z', 'signed_out')
    await happened(ACTIVITY_PAGE_SIZE - 1, '2026-01-02T00:00:00Z', 'password_changed')
    const first = await page(own)
    const second = await page(own, first.events.at(-1)?.id)
    const third = await page(own, second.events.at(-1)?.id)
    expect([first, second, third].map(({ events }) => events.at(-1)?.kind)).toEqual([
      'password_changed',
      'sign_in_failed',
      'signed_out',
    ])
  })

  it('end at an event that is forgotten', async () => {
    expect(await page(await signIn(), '999999999999999999')).toEqual({ events: [], hasMore: false })
  })
})
