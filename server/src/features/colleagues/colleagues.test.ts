import { MAX_COLLEAGUES } from '@bancone/contract/colleagues'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthServer, authServer } from '../../../test/auth-server.ts'
import {
  accept,
  ask,
  callWhileLocked,
  colleague,
  enqueueInvitation,
  type Headers,
  inOrder,
  invite,
  list,
  newAddress,
  newColleague,
  newPassword,
  newPharmacy,
  ownMembership,
  refusal,
  setOwn,
  userOf,
} from '../../../test/colleagues-server.ts'
import { mailsTo, tokenOf } from '../../../test/conformance/mails.ts'

const aTime: unknown = expect.stringMatching(/^\d{4}-.*Z$/)

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

const body = (email: string) => ({ name: 'Anna Rossi', email, role: 'staff' })

describe('the list of those who work at a pharmacy', () => {
  it('begins with its own account, which is an owner', async () => {
    const { id, email, name } = pharmacy
    expect(await list(server, owner)).toEqual([
      {
        id,
        name,
        email,
        role: 'owner',
        isPrimary: true,
        isYou: true,
        invitedAt: null,
        hasJoined: true,
        lastSignInAt: aTime,
        secondFactor: false,
      },
    ])
  })

  it('goes on with the others by name, as Italians sort them', async () => {
    for (const name of ['Zoe', 'èlena', 'Bruno', 'anna', 'Élide'])
      await invite(server, owner, { name })
    expect((await list(server, owner)).map(({ name }) => name)).toEqual([
      pharmacy.name,
      'anna',
      'Bruno',
      'èlena',
      'Élide',
      'Zoe',
    ])
  })

  it('tells each owner which of them they are, and who has a second factor', async () => {
    const { headers, userId } = await newColleague(server, pharmacy, { role: 'owner' })
    const addFactor = (user: string, status: string) =>
      query(
        'insert into auth_factors (user_id, status, secret) values ($1, $2, $3)',
        user,
        status,
        'x',
      )
    await addFactor(userId, 'unverified')
    const seen = async () =>
      (await list(server, headers)).map(({ isYou, secondFactor }) => [isYou, secondFactor])
    expect(await seen()).toEqual([
      [false, false],
      [true, false],
    ])
    await addFactor(pharmacy.id, 'verified')
    expect(await seen()).toEqual([
      [false, true],
      [true, false],
    ])
  })
})

describe('an invitation', () => {
  it('is a mail in the name of the pharmacy, and leads to a password of their own', async () => {
    const email = newAddress()
    const invited = await invite(server, owner, { email: email.toUpperCase() })
    expect(invited).toMatchObject({
      name: 'Anna Rossi',
      email,
      role: 'staff',
      isPrimary: false,
      isYou: false,
      hasJoined: false,
      invitedAt: aTime,
      lastSignInAt: null,
    })
    const [mail, ...others] = await mailsTo(server, email)
    expect(others).toEqual([])
    expect(mail?.subject).toBe(`${pharmacy.name} ti invita a Bancone`)
    expect(mail?.text).toContain(`${pharmacy.name} ti invita a usare Bancone.`)
    expect(mail?.linked.get('type')).toBe('invite')
    expect(mail?.linked.get('redirect_to')).toBe('/reset-password?type=invite')

    const anna = await accept(server, email)
    expect(await ownMembership(server, anna)).toEqual({
      id: pharmacy.id,
      role: 'staff',
      personName: 'Anna Rossi',
    })
    const again = await server.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      payload: { email, password: newPassword },
    })
    expect(again.json()).toMatchObject({ user: { user_metadata: { full_name: 'Anna Rossi' } } })
    const [, shown] = await list(server, owner)
    expect(shown).toMatchObject({
      id: invited.id,
      hasJoined: true,
      lastSignInAt: aTime,
    })
  })

  it('is also made by a colleague who is an owner, and is recorded', async () => {
    const anna = await newColleague(server, pharmacy, { role: 'owner' })
    const bruno = await invite(server, anna.headers, { role: 'owner' })
    const { rows } = await query(
      `select member.role, member.invited_by, event.action, event.actor_id from audit_events event
       join pharmacy_members member using (user_id) where member.id = $1 and actor_id is not null`,
      bruno.id,
    )
    const by = anna.userId
    expect(rows).toEqual([{ role: 'owner', invited_by: by, action: 'user_invited', actor_id: by }])
  })

  it('is refused for an address that has an account', async () => {
    const there = await newPharmacy(server)
    const elsewhere = await newColleague(server, there)
    const invitedElsewhere = await invite(server, there.owner)
    const waiting = await invite(server, owner)
    const [administrator, other] = [newAddress('admin'), newAddress('other')]
    await server.addAdministrator({ email: administrator })
    await server.addUser(other)
    const taken = [
      ['the pharmacy itself', pharmacy.email],
      ['another pharmacy', there.email],
      ['a colleague elsewhere', elsewhere.email],
      ['a user invited elsewhere', invitedElsewhere.email],
      ['a user invited here', waiting.email],
      ['an administrator', administrator],
      ['an account of nothing', other.toUpperCase()],
    ] as const
    for (const [who, email] of taken) {
      const told = await refusal(server, owner, 'POST', '', body(email))
      expect([who, ...told]).toEqual([who, 409, 'colleagues.address_taken'])
    }
    expect(await mailsTo(server, other)).toEqual([])
    expect(await mailsTo(server, waiting.email)).toHaveLength(1)
    expect(await ownMembership(server, elsewhere.headers)).toMatchObject({ id: there.id })
  })

  it('is for one, when two owners invite the same address at once', async () => {
    const there = await newPharmacy(server)
    const { headers: second } = await newColleague(server, pharmacy, { role: 'owner' })
    for (const other of [second, there.owner]) {
      const email = newAddress()
      const both = await Promise.all(
        [owner, other].map((from) => ask(server, from, 'POST', '', body(email))),
      )
      expect(inOrder(both.map(({ status }) => status))).toEqual([201, 409])
      expect(both.find(({ status }) => status === 409)?.json).toMatchObject({
        code: 'colleagues.address_taken',
      })
      expect(await mailsTo(server, email)).toHaveLength(1)
      const { rowCount } = await query(
        'select from pharmacy_members join auth_users on auth_users.id = user_id where email = $1',
        email,
      )
      expect(rowCount).toBe(1)
    }
  })

  /** Adds that many colleagues who do not sign in. */
  const addMembers = (count: number, removedAt: string | null = null) =>
    query(
      `insert into pharmacy_members (pharmacy_id, user_id, name, role, removed_at)
       select $1, gen_random_uuid(), 'Collega', 'staff', $3 from generate_series(1, $2::int)`,
      pharmacy.id,
      count,
      removedAt,
    )

  it('beyond thirty leaves nothing behind, however many are made at once', async () => {
    await addMembers(MAX_COLLEAGUES - 2)
    await addMembers(5, '2026-01-01')
    const emails = Array.from({ length: 4 }, () => newAddress())
    const all = await Promise.all(
      emails.map((email) => ask(server, owner, 'POST', '', body(email))),
    )
    expect(inOrder(all.map(({ status }) => status))).toEqual([201, 201, 409, 409])
    const refused = emails.filter((_, n) => all[n]?.status === 409)
    for (const { status, json } of all) {
      if (status === 409) expect(json).toMatchObject({ code: 'colleagues.too_many' })
    }
    for (const email of refused) expect(await mailsTo(server, email)).toEqual([])
    const { rowCount } = await query('select from auth_users where email = any($1)', refused)
    expect(rowCount).toBe(0)
  })

  it('waits for one that is being made, before it counts', async () => {
    await addMembers(MAX_COLLEAGUES - 1)
    const told = await callWhileLocked(
      server,
      pharmacy.id,
      () => refusal(server, owner, 'POST', '', body(newAddress())),
      (there) =>
        there(
          `insert into pharmacy_members (pharmacy_id, user_id, name, role)
           values ($1, gen_random_uuid(), 'Prima', 'staff')`,
          [pharmacy.id],
        ),
    )
    expect(told).toEqual([409, 'colleagues.too_many'])
  })

  it('can be sent to one address so often, and by one pharmacy', async () => {
    const { id, email } = await invite(server, owner)
    const again = () => ask(server, owner, 'POST', `/${id}/invitation`)
    for (let n = 0; n < 4; n += 1) expect((await again()).status).toBe(200)
    const refused = await again()
    expect(refused).toMatchObject({ status: 429, json: { code: 'colleagues.too_many_mails' } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    const there = await newPharmacy(server)
    const elsewhere = refusal(server, there.owner, 'POST', '', body(email))
    expect(await elsewhere).toEqual([429, 'colleagues.too_many_mails'])

    // An address that has an account is counted too, so that addresses cannot be tried in number.
    let attempts = 0
    for (let status = 0; status !== 429 && attempts < 100; attempts += 1) {
      const taken = newAddress()
      await server.addUser(taken)
      status = (await ask(server, there.owner, 'POST', '', body(taken))).status
    }
    expect(attempts).toBe(60)
  })
})

describe('an invitation that is sent again', () => {
  it('is worth something, and the one before nothing any more', async () => {
    const { id, email, invitedAt } = await invite(server, owner)
    const [first] = await mailsTo(server, email)
    const again = await colleague(server, owner, 'POST', `/${id}/invitation`)
    expect(Date.parse(again.invitedAt ?? '')).toBeGreaterThan(Date.parse(invitedAt ?? ''))
    const mails = await mailsTo(server, email)
    expect(mails).toHaveLength(2)
    if (!first) throw new Error('no mail')
    const payload = { token_hash: tokenOf(first), type: 'invite' }
    const old = await server.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
    expect(old.statusCode).toBe(403)
    expect(await ownMembership(server, await accept(server, email))).toMatchObject({
      role: 'staff',
    })
  })

  it('is refused for a colleague who has accepted, and for the own account of the pharmacy', async () => {
    const { id, userId, email } = await newColleague(server, pharmacy)
    await enqueueInvitation(server, userId)
    expect(await mailsTo(server, email)).toEqual([])
    for (const who of [id, pharmacy.id]) {
      const told = await refusal(server, owner, 'POST', `/${who}/invitation`)
      expect(told).toEqual([409, 'colleagues.not_invited'])
    }
  })
})

const change = (id: string, what: object, headers = owner) =>
  colleague(server, headers, 'PATCH', `/${id}`, what)

const notChanged = (id: string, what: object, headers = owner) =>
  refusal(server, headers, 'PATCH', `/${id}`, what)

describe('the name of a colleague', () => {
  it('is what owners call them, also after they have come; all else they say of themselves stays', async () => {
    const { id, email } = await invite(server, owner)
    expect(await change(id, { name: ' Anna Bianchi ' })).toMatchObject({
      name: 'Anna Bianchi',
      hasJoined: false,
      role: 'staff',
      email,
    })
    const bruno = await newColleague(server, pharmacy, { name: 'Bruno' })
    await setOwn(server, bruno.headers, { data: { theme: 'dark' } })
    expect(await change(bruno.id, { name: 'Bruno Neri' })).toMatchObject({ name: 'Bruno Neri' })
    expect(await ownMembership(server, bruno.headers)).toMatchObject({ personName: 'Bruno Neri' })
    const user = await server.app.inject({ url: '/auth/v1/user', headers: bruno.headers })
    expect(user.json()).toMatchObject({ user_metadata: { theme: 'dark', full_name: 'Bruno Neri' } })
  })

  it.each(['full_name', 'name'])('is their own once they have set it (%s)', async (key) => {
    const { id, headers } = await newColleague(server, pharmacy)
    await setOwn(server, headers, { data: { full_name: null, [key]: 'Annina' } })
    for (const what of [{ name: 'Anna' }, { name: 'Anna', role: 'owner' }]) {
      expect(await notChanged(id, what)).toEqual([409, 'colleagues.name_is_own'])
    }
    expect(await ownMembership(server, headers)).toMatchObject({
      role: 'staff',
      personName: 'Annina',
    })
    expect(await change(id, { name: 'Annina', role: 'owner' })).toMatchObject({ role: 'owner' })
  })

  it('is what others see of it: never empty, and without characters that reverse it', async () => {
    const { id, email } = await invite(server, owner, { name: '\u202eAnna \u00a0 Rossi' })
    const headers = await accept(server, email)
    const isCalled = async (personName: string) =>
      expect(await ownMembership(server, headers)).toMatchObject({ personName })
    await isCalled('Anna Rossi')
    for (const [own, seen] of [
      ['\n\u00a0', 'Anna Rossi'],
      ['\u200b', 'Anna Rossi'],
      ['\u200d\ufe0f', 'Anna Rossi'],
      ['\u2800', 'Anna Rossi'],
      [{ a: 1 }, 'Anna Rossi'],
      ['\u202eDott.\nVerdi', 'Dott. Verdi'],
      ['👩‍⚕️', '👩‍⚕️'],
    ] as const) {
      await setOwn(server, headers, { data: { full_name: own } })
      await isCalled(seen)
    }
    expect(await notChanged(id, { name: '\u200b' })).toEqual([400, 'request.invalid'])
  })

  it('is theirs to give others, when it was written with invisible blanks', async () => {
    const invited = await invite(server, owner, { name: 'Bruno' })
    await query("update pharmacy_members set name = 'Anna  Rossi' where id = $1", invited.id)
    await query(
      `update auth_users set user_metadata = '{"full_name": "Anna  Rossi"}' where id = $1`,
      await userOf(server, invited.id),
    )
    const named = await change(invited.id, { name: 'Anna Verdi' })
    expect(named.name).toBe('Anna Verdi')
  })

  it('can be changed by an owner who is a colleague, of themselves too', async () => {
    const { id, headers } = await newColleague(server, pharmacy, { role: 'owner' })
    expect(await change(id, { name: 'Anna Verdi' }, headers)).toMatchObject({
      name: 'Anna Verdi',
      isYou: true,
    })
    // It is theirs from now on.
    expect(await notChanged(id, { name: 'Anna' })).toEqual([409, 'colleagues.name_is_own'])
  })
})

describe('the role of a colleague', () => {
  it('is recorded, with its author and the value before', async () => {
    const { id } = await newColleague(server, pharmacy)
    await change(id, { role: 'staff', name: 'Anna Rossi' })
    await change(id, { role: 'owner' })
    const { rows } = await query(
      `select event.actor_id, event.details from audit_events event
       join pharmacy_members member using (user_id)
       where member.id = $1 and action in ('role_changed', 'user_renamed')`,
      id,
    )
    expect(rows).toEqual([{ actor_id: pharmacy.id, details: { from: 'staff', to: 'owner' } }])
  })

  it('is not for oneself to change', async () => {
    const { id, headers } = await newColleague(server, pharmacy, { role: 'owner' })
    expect(await notChanged(id, { role: 'staff' }, headers)).toEqual([400, 'request.invalid'])
    expect(await ownMembership(server, headers)).toMatchObject({ role: 'owner' })
    expect(await change(id, { role: 'owner' }, headers)).toMatchObject({ role: 'owner' })
  })
})

describe('a change', () => {
  it('is not for the own account of the pharmacy', async () => {
    const { headers } = await newColleague(server, pharmacy, { role: 'owner' })
    for (const what of [{ role: 'staff' }, { role: 'owner' }, { name: 'Nostra' }]) {
      for (const from of [owner, headers]) {
        expect(await notChanged(pharmacy.id, what, from)).toEqual([400, 'request.invalid'])
      }
    }
    expect(await ownMembership(server, owner)).toMatchObject({ role: 'owner', personName: null })
  })
})
