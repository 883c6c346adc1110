import type { AddressInfo } from 'node:net'
import { AccountSession } from '@bancone/contract/account'
import { ErrorBody } from '@bancone/contract/errors'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { noLimits } from '../../../test/auth-server.ts'
import { beforeCacheEnds } from '../../../test/before-cache-ends.ts'
import { someText } from '../../../test/conformance/matchers.ts'
import { clientOf, join } from '../../../test/realtime/clients.ts'
import { addFactor, claimsOf, elevateSession } from '../../../test/second-factor.ts'
import { otherApp, password, type TestServer, testAuth, testServer } from '../../../test/server.ts'

type Caller = { authorization: string }

const DAY = 86_400_000
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

let server: TestServer
let email: string
let userId: string
let made = 0
let ahead = 0

beforeAll(async () => {
  const clock = { now: () => Date.now() + ahead }
  server = await testServer({ limits: noLimits, clock })
})

beforeEach(async () => {
  ahead = 0
  made += 1
  email = `account-${made}@example.it`
  userId = await server.addPharmacy({ email, code: `ACC-${made}` })
})

const Tokens = z.object({ access_token: z.string(), refresh_token: z.string() })

async function tokens(
  grant: object,
  { agent = windows, from = '192.0.2.7', at = server } = {},
): Promise<z.infer<typeof Tokens> & Caller> {
  const reply = await at.app.inject({
    method: 'POST',
    url: `/auth/v1/token?grant_type=${'refresh_token' in grant ? 'refresh_token' : 'password'}`,
    headers: { 'user-agent': agent },
    remoteAddress: from,
    payload: grant,
  })
  const all = Tokens.parse(reply.json())
  return { ...all, authorization: `Bearer ${all.access_token}` }
}

const signIn = (options: Parameters<typeof tokens>[1] = {}, who = email) =>
  tokens({ email: who, password }, options)

function ask(method: 'GET' | 'DELETE', path: string, { authorization }: Caller, at = server.app) {
  return at.inject({
    method,
    url: `/api/account/${path}`,
    headers: { authorization, 'user-agent': iPhone },
    remoteAddress: '192.0.2.99',
  })
}

async function list(caller: Caller) {
  const reply = await ask('GET', 'sessions', caller)
  expect(reply.statusCode, reply.body).toBe(200)
  return z.object({ sessions: z.array(AccountSession) }).parse(reply.json()).sessions
}

const end = (caller: Caller, which: Caller) =>
  ask('DELETE', `sessions/${claimsOf(which).session_id}`, caller)

const isLetIn = async (caller: Caller, at = server.app) =>
  (await ask('GET', 'sessions', caller, at)).statusCode === 200

describe('the devices of an account', () => {
  it('are told by what they are and where, the one that asks first', async () => {
    const own = await signIn()
    const phone = await signIn({ agent: iPhone, from: '198.51.100.4' })
    expect(await list(own)).toEqual([
      {
        id: claimsOf(own).session_id,
        device: { browser: 'Firefox', system: 'Windows', kind: 'desktop' },
        address: '192.0.2.7',
        startedAt: someText,
        lastUsedAt: someText,
        secondFactor: false,
        isCurrent: true,
      },
      expect.objectContaining({
        id: claimsOf(phone).session_id,
        device: { browser: 'Safari', system: 'iOS', kind: 'phone' },
        address: '198.51.100.4',
        isCurrent: false,
      }),
    ])
    const there = await list(phone)
    expect(there.map(({ id }) => id)).toEqual([phone, own].map((each) => claimsOf(each).session_id))
  })

  it('are in the order of their last use', async () => {
    const { pool } = server.database
    for (const ago of [3, 1, 2]) {
      await pool.query('update auth_sessions set refreshed_at = $1 where id = $2', [
        new Date(Date.now() - ago * DAY),
        claimsOf(await signIn()).session_id,
      ])
    }
    const [first, ...rest] = await list(await signIn())
    expect(first?.isCurrent).toBe(true)
    const days = rest.map((each) => Math.round((Date.now() - Date.parse(each.lastUsedAt)) / DAY))
    expect(days).toEqual([1, 2, 3])
  })

  it('are told as they were when last renewed, for browsers move and are renewed', async () => {
    const own = await signIn()
    const phone = await signIn({ agent: windows, from: '198.51.100.4' })
    const renewal = { refresh_token: phone.refresh_token }
    await tokens(renewal, { agent: iPhone, from: '203.0.113.9' })
    const [, other] = await list(own)
    expect(other).toMatchObject({ address: '203.0.113.9', device: { browser: 'Safari' } })
  })

  it('are the last used ones, when a program made thousands', async () => {
    const own = await signIn()
    await server.database.pool.query(
      `insert into auth_sessions (user_id, amr, agent, refreshed_at)
       select $1, '[]', $2, now() + n * interval '1 second' from generate_series(1, 2000) as n`,
      [userId, iPhone],
    )
    const [first, second, ...rest] = await list(own)
    expect([first?.isCurrent, rest.length]).toEqual([true, 298])
    const newest = await server.database.pool.query<{ id: string }>(
      'select id from auth_sessions where user_id = $1 order by refreshed_at desc limit 1',
      [userId],
    )
    expect(second?.id).toBe(newest.rows[0]?.id)
  })

  it('are used now, if they ask now', async () => {
    const own = await signIn()
    ahead = DAY / 48
    const [first] = await list(own)
    expect(Date.parse(first?.lastUsedAt ?? '')).toBeGreaterThan(Date.now() + DAY / 50)
  })

  it('are not known of sessions that began before devices were kept', async () => {
    const own = await signIn()
    await server.database.pool.query('insert into auth_sessions (user_id) values ($1)', [userId])
    const device = { browser: null, system: null, kind: 'other' }
    expect(await list(own)).toMatchObject([{}, { device, address: null }])
  })

  it('are those still signed in: not the signed out, nor those unused for sixty days or that are older than ninety', async () => {
    const own = await signIn()
    const [left, idle, used, old] = [await signIn(), await signIn(), await signIn(), await signIn()]
    await server.app.inject({
      method: 'POST',
      url: '/auth/v1/logout?scope=local',
      headers: { authorization: left.authorization },
    })
    const { pool } = server.database
    for (const [who, days] of [
      [idle, 61],
      [used, 59],
    ] as const) {
      await pool.query('update auth_sessions set refreshed_at = $1 where id = $2', [
        new Date(Date.now() - days * DAY),
        claimsOf(who).session_id,
      ])
    }
    await pool.query(
      "update auth_sessions set created_at = now() - interval '91 days' where id = $1",
      [claimsOf(old).session_id],
    )
    const ids = (await list(own)).map(({ id }) => id)
    expect(ids).toEqual([own, used].map((each) => claimsOf(each).session_id))
  })

  it('say where a second factor was shown', async () => {
    await addFactor(server.database, userId)
    const [one, two] = [await signIn(), await signIn()]
    await elevateSession(server.database, one)
    server.sessions.invalidate(userId)
    expect((await list(one)).map((each) => each.secondFactor)).toEqual([true, false])
    const refused = await ask('GET', 'sessions', two)
    expect(ErrorBody.parse(refused.json()).code).toBe('session.second_factor_needed')
  })

  it('are their own for everybody: colleagues, administrators, other pharmacies', async () => {
    const owner = await signIn()
    const people = [
      `staff-${made}@example.it`,
      `two-${made}@example.it`,
      `admin-${made}@example.it`,
    ]
    const [staff = '', two = '', admin = ''] = people
    await server.addColleague({ email: staff, pharmacyId: userId })
    await server.addColleague({ email: two, pharmacyId: userId, role: 'owner' })
    await server.addAdministrator({ email: admin })
    const others = [await signIn({}, staff), await signIn({}, two), await signIn({}, admin)]
    for (const each of [owner, ...others]) {
      expect((await list(each)).map(({ id }) => id)).toEqual([claimsOf(each).session_id])
    }
    for (const each of others) {
      const refusals = [await end(each, owner), await end(owner, each)]
      expect(refusals.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    }
    for (const each of [owner, ...others]) expect(await isLetIn(each)).toBe(true)
  })
})

describe('signing a device out', () => {
  it('ends what it listens to, and nothing of the others', async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = server.app.server.address() as AddressInfo
    const [own, phone] = [await signIn(), await signIn()]
    const lineOf = async ({ access_token: token }: typeof own) =>
      join(
        await clientOf({ port, origin: `http://127.0.0.1:${port}` }, { token }),
        `pharmacy:${userId}`,
      )
    const [stays, goes] = [await lineOf(own), await lineOf(phone)]
    await end(own, phone)
    await vi.waitFor(() => expect(goes.states).toEqual(['SUBSCRIBED', 'CLOSED']), beforeCacheEnds)
    expect(goes.system[0]).toContain('session has ended')
    expect(stays.states).toEqual(['SUBSCRIBED'])
  })

  it('ends it at once, in every process, with its tokens, and no other', async () => {
    const [own, phone, tablet] = [await signIn(), await signIn(), await signIn()]
    const there = await otherApp(server.database, { limits: noLimits })
    for (const app of [server.app, there.app]) expect(await isLetIn(phone, app)).toBe(true)
    expect((await end(own, phone)).json()).toEqual({})
    expect(await isLetIn(phone)).toBe(false)
    const isOut = async () => expect(await isLetIn(phone, there.app)).toBe(false)
    await vi.waitFor(isOut, beforeCacheEnds)
    const renewed = tokens({ refresh_token: phone.refresh_token })
    await expect(renewed).rejects.toThrow('access_token')
    for (const each of [own, tablet]) expect(await isLetIn(each)).toBe(true)
    expect(await list(own)).toHaveLength(2)
  })

  it('is on record, with where it was done', async () => {
    const [own, phone] = [await signIn(), await signIn()]
    await end(own, phone)
    const { rows } = await server.database.pool.query(
      "select address, agent from audit_events where user_id = $1 and action = 'session_ended'",
      [userId],
    )
    expect(rows).toEqual([{ address: '192.0.2.99', agent: iPhone }])
  })

  it('is not for the one that asks, however its id is written', async () => {
    const own = await signIn()
    const { session_id: id } = claimsOf(own)
    for (const path of [id, id.toUpperCase()]) {
      const reply = await ask('DELETE', `sessions/${path}`, own)
      expect(ErrorBody.parse(reply.json()).code).toBe('account.session_not_found')
    }
    expect(await isLetIn(own)).toBe(true)
  })

  it('that is signed out already, or never was there, changes nothing', async () => {
    const [own, phone] = [await signIn(), await signIn()]
    const both = await Promise.all([end(own, phone), end(own, phone)])
    expect(new Set(both.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 404]))
    expect((await end(own, phone)).statusCode).toBe(404)
    expect((await ask('DELETE', `sessions/${userId}`, own)).statusCode).toBe(404)
    expect((await ask('DELETE', 'sessions/all', own)).statusCode).toBe(400)
    const { rows } = await server.database.pool.query(
      "select from audit_events where user_id = $1 and action = 'session_ended'",
      [userId],
    )
    expect(rows).toHaveLength(1)
  })
})

describe('what one can sign in with', () => {
  const url = '/api/sign-in-methods'

  it('is the password alone, if nothing is set', async () => {
    const reply = await server.app.inject({ url })
    expect([reply.statusCode, reply.json()]).toEqual([200, { providers: [] }])
    expect(reply.headers['cache-control']).toBe('public, max-age=60')
  })

  it('is another service too, without what is known of it alone', async () => {
    const oidc = {
      provider: 'keycloak',
      name: 'Rete farmacie',
      issuer: 'https://id.example.it',
      clientId: 'bancone',
      clientSecret: 'very secret',
    }
    const at = await testServer({ auth: { ...testAuth, oidc } })
    const reply = await at.app.inject({ url })
    expect(reply.json()).toEqual({ providers: [{ id: 'keycloak', name: 'Rete farmacie' }] })
  })
})
