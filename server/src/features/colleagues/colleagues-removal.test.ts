import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthServer, authServer } from '../../../test/auth-server.ts'
import {
  ask,
  askInvitation,
  askWhileLocked,
  type Headers,
  inOrder,
  invite,
  list,
  newColleague,
  newPassword,
  newPharmacy,
  refusal,
  setOwn,
  standing,
  userOf,
} from '../../../test/colleagues-server.ts'
import { mailsTo, tokenOf } from '../../../test/conformance/mails.ts'
import { testApp } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'

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

function logIn(email: string) {
  const url = '/auth/v1/token?grant_type=password'
  return server.app.inject({ method: 'POST', url, payload: { email, password: newPassword } })
}

describe('a colleague who is removed', () => {
  it('is signed out everywhere at once, and does not get in again', async () => {
    const there = await testApp(server.database, {}, silentLog)
    try {
      const { id, email, headers } = await newColleague(server, owner)
      const second = (await logIn(email)).json<{ access_token: string; refresh_token: string }>()
      const phone = { authorization: `Bearer ${second.access_token}` }
      for (const app of [server.app, there.app]) {
        for (const from of [headers, phone]) {
          expect(await standing({ app }, from)).toMatchObject({ role: 'staff' })
        }
      }
      expect(await remove(id)).toBe(200)
      for (const from of [headers, phone]) {
        expect(await standing(server, from)).toBe('session.unknown_user')
        const told = async () => standing({ app: there.app }, from)
        const soon = { timeout: 2_500, interval: 20 }
        await vi.waitFor(async () => expect(await told()).toBe('session.unknown_user'), soon)
      }
      const refreshed = await server.app.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=refresh_token',
        payload: { refresh_token: second.refresh_token },
      })
      expect(refreshed.statusCode).toBe(400)
      expect((await logIn(email)).statusCode).toBe(400)
      expect((await list(server, owner)).map(({ isPrimary }) => isPrimary)).toEqual([true])
    } finally {
      await there.app.close()
      await there.wired.close()
    }
  })

  it('leaves nothing that says who they were but a name', async () => {
    const { id, email, headers } = await newColleague(server, owner)
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
    expect(email).toContain('@')
  })

  it('can be invited again, here or elsewhere, to an account that is new', async () => {
    const there = await newPharmacy(server)
    const { id, email } = await newColleague(server, owner, { role: 'owner' })
    expect(await remove(id)).toBe(200)
    const again = await newColleague(server, owner, { email, name: 'Anna Bianchi' })
    expect(again.id).not.toBe(id)
    expect(await standing(server, again.headers)).toMatchObject({ id: pharmacy.id, role: 'staff' })
    expect(await remove(again.id)).toBe(200)
    const elsewhere = await newColleague(server, there.owner, { email })
    expect(await standing(server, elsewhere.headers)).toMatchObject({ id: there.id })
    const { rows } = await query(
      'select count(distinct user_id)::int as users from pharmacy_members where pharmacy_id = any($1)',
      [pharmacy.id, there.id],
    )
    expect(rows).toEqual([{ users: 3 }])
  })

  it('cannot come by the invitation that they were sent', async () => {
    const { id, email } = await invite(server, owner)
    const [mail] = await mailsTo(server, email)
    if (!mail) throw new Error('no mail')
    expect(await remove(id)).toBe(200)
    const payload = { token_hash: tokenOf(mail), type: 'invite' }
    const reply = await server.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
    expect(reply.statusCode).toBe(403)
  })

  it('before the mail is written gets none', async () => {
    const { id, email } = await invite(server, owner)
    await mailsTo(server, email)
    expect(await remove(id)).toBe(200)
    await askInvitation(server, await userOf(server, id))
    expect(await mailsTo(server, email)).toHaveLength(1)
  })

  it('is removed once, by two owners at once', async () => {
    const { headers: second } = await newColleague(server, owner, { role: 'owner' })
    const { id } = await newColleague(server, owner)
    const both = await Promise.all([remove(id), remove(id, second)])
    expect(inOrder(both)).toEqual([200, 404])
    const ended = "select from audit_events where action = 'user_deleted_softly' and user_id = $1"
    expect((await query(ended, await userOf(server, id))).rowCount).toBe(1)
  })

  it.each(['GET', 'PATCH', 'POST'] as const)('is not found any more (%s)', async (method) => {
    const { id } = await newColleague(server, owner)
    await remove(id)
    if (method === 'GET') return expect(await remove(id)).toBe(404)
    const path = method === 'POST' ? `/${id}/invitation` : `/${id}`
    const payload = method === 'PATCH' ? { name: 'Anna' } : undefined
    const told = await refusal(server, owner, method, path, payload)
    expect(told).toEqual([404, 'colleagues.not_found'])
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
    const second = await newColleague(server, owner, { role: 'owner' })
    const { id, email } = await invite(server, owner)
    const path = method === 'POST' && end === '' ? '' : `/${id}${end}`
    const told = await askWhileLocked(
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
      await newColleague(server, owner, { role: 'owner' }),
      await newColleague(server, owner, { role: 'owner' }),
    ]
    const both = () => Promise.all([remove(bruno.id, anna.headers), remove(anna.id, bruno.headers)])
    const done = await askWhileLocked(server, pharmacy.id, both, async () => {}, 2)
    expect(inOrder(done)).toEqual([200, 403])
    const left = done[0] === 200 ? anna.id : bruno.id
    expect((await list(server, owner)).map(({ id }) => id)).toEqual([pharmacy.id, left])
  })
})

describe('nobody removes', () => {
  it('the own account of the pharmacy, nor themselves', async () => {
    const { id, headers } = await newColleague(server, owner, { role: 'owner' })
    const invalid = [400, 'request.invalid']
    expect(await refusal(server, headers, 'DELETE', `/${pharmacy.id}`)).toEqual(invalid)
    expect(await refusal(server, owner, 'DELETE', `/${pharmacy.id}`)).toEqual(invalid)
    expect(await refusal(server, headers, 'DELETE', `/${id}`)).toEqual(invalid)
    expect(await list(server, owner)).toHaveLength(2)
  })

  it('somebody of another pharmacy', async () => {
    const there = await newPharmacy(server)
    const { id, headers } = await newColleague(server, there.owner)
    for (const other of [id, await userOf(server, id), there.id]) {
      const told = await refusal(server, owner, 'DELETE', `/${other}`)
      expect(told).toEqual([404, 'colleagues.not_found'])
    }
    expect(await standing(server, headers)).toMatchObject({ id: there.id })
  })
})

describe('an account that an administrator closes', () => {
  it.each([true, false])('leaves its pharmacy, and its name there (softly: %s)', async (soft) => {
    const { id, headers } = await newColleague(server, owner)
    await setOwn(server, headers, { data: { full_name: 'Annina' } })
    const actor = { actorId: null, address: '127.0.0.1', agent: null }
    await server.services.auth.users.delete(await userOf(server, id), soft, actor)
    expect(await standing(server, headers)).toBe('session.unknown_user')
    expect(await list(server, owner)).toHaveLength(1)
    const kept = await query(
      `select person_name(user_id, pharmacy_id) as name, removed_at is not null as removed
       from pharmacy_members where id = $1`,
      id,
    )
    expect(kept.rows).toEqual([{ name: 'Annina', removed: true }])
  })

  it('takes its colleagues along when it is the pharmacy’s own and goes for good', async () => {
    const { id, email, headers } = await newColleague(server, owner)
    const user = await userOf(server, id)
    const actor = { actorId: null, address: '127.0.0.1', agent: null }
    await server.services.auth.users.delete(pharmacy.id, false, actor)
    expect(await standing(server, headers)).toBe('session.unknown_user')
    expect((await query('select id from auth_users where id = $1', user)).rows).toEqual([])
    const there = await newPharmacy(server)
    expect(await invite(server, there.owner, { email })).toMatchObject({ email })
  })

  it('closes the pharmacy for its colleagues, when it is its own', async () => {
    const { headers } = await newColleague(server, owner, { role: 'owner' })
    expect(await standing(server, headers)).toMatchObject({ role: 'owner' })
    const actor = { actorId: null, address: '127.0.0.1', agent: null }
    await server.services.auth.users.delete(pharmacy.id, true, actor)
    const soon = { timeout: 2_500, interval: 20 }
    const told = () => standing(server, headers)
    await vi.waitFor(async () => expect(await told()).toBe('pharmacy.inactive'), soon)
  })

  it('or shuts out for a time closes it as long', async () => {
    const { headers } = await newColleague(server, owner, { role: 'owner' })
    expect(await standing(server, headers)).toMatchObject({ role: 'owner' })
    const actor = { actorId: null, address: '127.0.0.1', agent: null }
    const soon = { timeout: 2_500, interval: 20 }
    const { users } = server.services.auth
    await users.change(pharmacy.id, { banFor: 3_600_000 }, actor)
    await vi.waitFor(
      async () => expect(await standing(server, headers)).toBe('pharmacy.inactive'),
      soon,
    )
    await users.change(pharmacy.id, { banFor: 0 }, actor)
    await vi.waitFor(
      async () => expect(await standing(server, headers)).toMatchObject({ role: 'owner' }),
      soon,
    )
  })
})

describe('a colleague who is an administrator', () => {
  const isAdministrator = async (headers: Headers) =>
    (await server.app.inject({ url: '/api/administrator', headers })).statusCode === 200

  it('leaves the pharmacy and keeps the account, which is not its owner’s to close', async () => {
    const { id, headers } = await newColleague(server, owner)
    await server.addAdministrator({ id: await userOf(server, id) })
    await setOwn(server, headers, { data: { full_name: 'Annina' } })
    expect(await standing(server, headers)).toMatchObject({ role: 'staff' })
    expect(await remove(id)).toBe(200)
    expect(await standing(server, headers)).toBe('access.denied')
    expect(await isAdministrator(headers)).toBe(true)
    expect(await list(server, owner)).toHaveLength(1)
    expect(await remove(id)).toBe(404)
    const kept = await query('select name from pharmacy_members where id = $1', id)
    expect(kept.rows).toEqual([{ name: 'Annina' }])
  })

  it('keeps the account when the pharmacy goes', async () => {
    const { id, headers } = await newColleague(server, owner)
    await server.addAdministrator({ id: await userOf(server, id) })
    const actor = { actorId: null, address: '127.0.0.1', agent: null }
    await server.services.auth.users.delete(pharmacy.id, false, actor)
    expect(await isAdministrator(headers)).toBe(true)
  })
})
