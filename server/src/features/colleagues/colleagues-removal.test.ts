import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthServer, authServer } from '../../../test/auth-server.ts'
import { beforeCacheEnds } from '../../../test/before-cache-ends.ts'
import {
  accept,
  ask,
  callWhileLocked,
  enqueueInvitation,
  type Headers,
  inOrder,
  invite,
  list,
  newColleague,
  newPharmacy,
  ownMembership,
  refusal,
  setOwn,
  userOf,
} from '../../../test/colleagues-server.ts'
import { mailsTo, tokenOf } from '../../../test/conformance/mails.ts'
import { otherApp, password } from '../../../test/server.ts'

let server: AuthServer
let pharmacy: Awaited<ReturnType<typeof newPharmacy>>
let owner: Headers

beforeAll(async () => {
  server = await authServer()
})

beforeEach(async () => {
  pharmacy = await newPharmacy(server)
  owner = pharmacy.owner
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

const remove = async (id: string, headers = owner) =>
  (await ask(server, headers, 'DELETE', `/${id}`)).status

const logIn = (email: string, grant: object = { email, password }, type = 'password') =>
  server.app.inject({
    method: 'POST',
    url: `/auth/v1/token?grant_type=${type}`,
    payload: grant,
  })

/** The actor of an action without a user. */
const actor = { actorId: null, address: '127.0.0.1', agent: null }

describe('a colleague who is removed', () => {
  it('is signed out everywhere at once, and does not get in again', async () => {
    const there = await otherApp(server.database)
    const { id, email, headers } = await newColleague(server, pharmacy)
    const second = (await logIn(email)).json<{ access_token: string; refresh_token: string }>()
    const sessions = [headers, { authorization: `Bearer ${second.access_token}` }]
    for (const app of [server.app, there.app]) {
      for (const from of sessions) {
        expect(await ownMembership({ app }, from)).toMatchObject({ role: 'staff' })
      }
    }
    expect(await remove(id)).toBe(200)
    for (const from of sessions) {
      expect(await ownMembership(server, from)).toBe('session.unknown_user')
      const refused = async () =>
        expect(await ownMembership({ app: there.app }, from)).toBe('session.unknown_user')
      await vi.waitFor(refused, beforeCacheEnds)
    }
    const renewal = { refresh_token: second.refresh_token }
    expect((await logIn(email, renewal, 'refresh_token')).statusCode).toBe(400)
    expect((await logIn(email)).statusCode).toBe(400)
    expect((await list(server, owner)).map(({ isPrimary }) => isPrimary)).toEqual([true])
  })

  it('leaves nothing that says who they were but a name', async () => {
    const { id, headers } = await newColleague(server, pharmacy)
    await setOwn(server, headers, { data: { full_name: ' Annina ', home: 'Via Roma' } })
    expect(await remove(id)).toBe(200)
    const { rows } = await query(
      `select "user".email, password_hash, user_metadata, removed_at is not null as removed,
        deleted_at is not null as deleted, name, person_name("user".id, pharmacy_id) as shown
       from pharmacy_members member join auth_users "user" on "user".id = user_id
       where member.id = $1`,
      id,
    )
    expect(rows).toEqual([
      {
        email: null,
        password_hash: null,
        user_metadata: {},
        removed: true,
        deleted: true,
        name: 'Annina',
        shown: 'Annina',
      },
    ])
    const { rows: events } = await query(
      `select event.action, event.actor_id from audit_events event
       join pharmacy_members member using (user_id)
       where member.id = $1 order by event.id desc limit 1`,
      id,
    )
    expect(events).toEqual([{ action: 'user_deleted_softly', actor_id: pharmacy.id }])
  })

  it('can be invited again, here or elsewhere, to an account that is new', async () => {
    const there = await newPharmacy(server)
    const first = await newColleague(server, pharmacy, { role: 'owner' })
    const { email } = first
    expect(await remove(first.id)).toBe(200)
    const again = await invite(server, owner, { email, name: 'Anna Bianchi' })
    expect(again.id).not.toBe(first.id)
    const standsAt = await ownMembership(server, await accept(server, email))
    expect(standsAt).toMatchObject({ id: pharmacy.id, role: 'staff' })
    expect(await remove(again.id)).toBe(200)
    expect(await invite(server, there.owner, { email })).toMatchObject({ email })
    const { rows } = await query(
      'select count(distinct user_id)::int as users from pharmacy_members where pharmacy_id = any($1)',
      [pharmacy.id, there.id],
    )
    expect(rows).toEqual([{ users: 3 }])
  })

  it('cannot come by the invitation that they were sent, nor gets a mail that is not written yet', async () => {
    const { id, email } = await invite(server, owner)
    const [mail] = await mailsTo(server, email)
    if (!mail) throw new Error('no mail')
    const userId = await userOf(server, id)
    expect(await remove(id)).toBe(200)
    const payload = { token_hash: tokenOf(mail), type: 'invite' }
    const reply = await server.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
    expect(reply.statusCode).toBe(403)
    await enqueueInvitation(server, userId)
    expect(await mailsTo(server, email)).toHaveLength(1)
  })

  it('is removed once, by two owners at once', async () => {
    const { headers: second } = await newColleague(server, pharmacy, { role: 'owner' })
    const { id, userId } = await newColleague(server, pharmacy)
    const both = await Promise.all([remove(id), remove(id, second)])
    expect(inOrder(both)).toEqual([200, 404])
    const ended = "select from audit_events where action = 'user_deleted_softly' and user_id = $1"
    expect((await query(ended, userId)).rowCount).toBe(1)
  })

  it('is not found any more', async () => {
    const { id } = await newColleague(server, pharmacy)
    await remove(id)
    const told = [
      await refusal(server, owner, 'DELETE', `/${id}`),
      await refusal(server, owner, 'PATCH', `/${id}`, { name: 'Anna' }),
      await refusal(server, owner, 'POST', `/${id}/invitation`),
    ]
    const missing = [404, 'colleagues.not_found']
    expect(told).toEqual([missing, missing, missing])
  })
})

describe('an owner', () => {
  const ended = "update pharmacy_members set role = 'staff' where id = $1"

  it.each([
    ['POST', '', { name: 'Bruno', email: 'bruno@example.it', role: 'owner' }],
    ['POST', '/invitation', undefined],
    ['PATCH', '', { role: 'owner' }],
    ['DELETE', '', undefined],
  ] as const)('decides nothing (%s %s) when they are one no more', async (method, end, payload) => {
    const second = await newColleague(server, pharmacy, { role: 'owner' })
    const { id, email } = await invite(server, owner)
    const path = method === 'POST' && end === '' ? '' : `/${id}${end}`
    const told = await callWhileLocked(
      server,
      pharmacy.id,
      () => refusal(server, second.headers, method, path, payload),
      (there) => there(ended, [second.id]),
    )
    expect(told).toEqual([403, 'access.owners_only'])
    expect(await list(server, owner)).toMatchObject([{}, { role: 'staff' }, { role: 'staff' }])
    expect(await mailsTo(server, email)).toHaveLength(1)
    expect((await query("select from auth_users where email = 'bruno@example.it'")).rowCount).toBe(
      0,
    )
  })

  it('is left of two who remove each other at once', async () => {
    const [anna, bruno] = [
      await newColleague(server, pharmacy, { role: 'owner' }),
      await newColleague(server, pharmacy, { role: 'owner' }),
    ]
    const both = () => Promise.all([remove(bruno.id, anna.headers), remove(anna.id, bruno.headers)])
    const done = await callWhileLocked(server, pharmacy.id, both, async () => {}, 2)
    expect(inOrder(done)).toEqual([200, 403])
    const left = done[0] === 200 ? anna.id : bruno.id
    expect((await list(server, owner)).map(({ id }) => id)).toEqual([pharmacy.id, left])
  })
})

describe('it is refused to remove', () => {
  it('the own account of the pharmacy, nor themselves', async () => {
    const { id, headers } = await newColleague(server, pharmacy, { role: 'owner' })
    const invalid = [400, 'request.invalid']
    expect(await refusal(server, headers, 'DELETE', `/${pharmacy.id}`)).toEqual(invalid)
    expect(await refusal(server, owner, 'DELETE', `/${pharmacy.id}`)).toEqual(invalid)
    expect(await refusal(server, headers, 'DELETE', `/${id}`)).toEqual(invalid)
    expect(await list(server, owner)).toHaveLength(2)
  })
})

describe('an account that an administrator', () => {
  it.each([true, false])(
    'deletes leaves its pharmacy, and its name there (softly: %s)',
    async (soft) => {
      const { id, userId, headers } = await newColleague(server, pharmacy)
      await setOwn(server, headers, { data: { full_name: 'Annina' } })
      await server.auth.users.delete(userId, soft, actor)
      expect(await ownMembership(server, headers)).toBe('session.unknown_user')
      expect(await list(server, owner)).toHaveLength(1)
      const kept = await query(
        `select person_name(user_id, pharmacy_id) as name, removed_at is not null as removed
       from pharmacy_members where id = $1`,
        id,
      )
      expect(kept.rows).toEqual([{ name: 'Annina', removed: true }])
    },
  )

  it('deletes takes its colleagues along when it is the pharmacy’s own and goes for good', async () => {
    const { userId, email, headers } = await newColleague(server, pharmacy)
    await server.auth.users.delete(pharmacy.id, false, actor)
    expect(await ownMembership(server, headers)).toBe('session.unknown_user')
    expect((await query('select id from auth_users where id = $1', userId)).rows).toEqual([])
    const there = await newPharmacy(server)
    expect(await invite(server, there.owner, { email })).toMatchObject({ email })
  })

  it.each([
    ['closes', () => server.auth.users.delete(pharmacy.id, true, actor)],
    ['bans', () => server.auth.users.change(pharmacy.id, { banDurationMs: 3_600_000 }, actor)],
  ])('%s is also closed for its colleagues when it is the pharmacy’s own', async (how, close) => {
    const { headers } = await newColleague(server, pharmacy, { role: 'owner' })
    const stands = () => ownMembership(server, headers)
    expect(await stands()).toMatchObject({ role: 'owner' })
    await close()
    await vi.waitFor(async () => expect(await stands()).toBe('pharmacy.inactive'), beforeCacheEnds)
    if (how === 'closes') return
    await server.auth.users.change(pharmacy.id, { banDurationMs: 0 }, actor)
    await vi.waitFor(
      async () => expect(await stands()).toMatchObject({ role: 'owner' }),
      beforeCacheEnds,
    )
  })
})

describe('a colleague who is an administrator', () => {
  const isAdministrator = async (headers: Headers) =>
    (await server.app.inject({ url: '/api/administrator', headers })).statusCode === 200

  it('leaves the pharmacy and keeps the account, which is not its owner’s to close', async () => {
    const { id, userId, headers } = await newColleague(server, pharmacy)
    await server.addAdministrator({ id: userId })
    await setOwn(server, headers, { data: { full_name: 'Annina' } })
    expect(await ownMembership(server, headers)).toMatchObject({ role: 'staff' })
    expect(await remove(id)).toBe(200)
    expect(await ownMembership(server, headers)).toBe('access.denied')
    expect(await isAdministrator(headers)).toBe(true)
    expect(await list(server, owner)).toHaveLength(1)
    expect(await remove(id)).toBe(404)
    const kept = await query('select name from pharmacy_members where id = $1', id)
    expect(kept.rows).toEqual([{ name: 'Annina' }])
  })

  it('keeps the account when the pharmacy goes', async () => {
    const { userId, headers } = await newColleague(server, pharmacy)
    await server.addAdministrator({ id: userId })
    await server.auth.users.delete(pharmacy.id, false, actor)
    expect(await isAdministrator(headers)).toBe(true)
  })
})
