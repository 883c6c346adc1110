import { MOST_COLLEAGUES } from '@bancone/contract/colleagues'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AuthServer, authServer } from '../../../test/auth-server.ts'
import {
  accept,
  ask,
  askInvitation,
  askWhileLocked,
  colleague,
  type Headers,
  inOrder,
  invite,
  list,
  newAddress,
  newColleague,
  newPassword,
  newPharmacy,
  refusal,
  standing,
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
    const { headers, id } = await newColleague(server, owner, { role: 'owner' })
    await query(
      `insert into auth_factors (user_id, status, secret)
       select user_id, 'unverified', 'x' from pharmacy_members where id = $1`,
      id,
    )
    const seen = async () =>
      (await list(server, headers)).map(({ isYou, secondFactor }) => [isYou, secondFactor])
    expect(await seen()).toEqual([
      [false, false],
      [true, false],
    ])
    await query("update auth_factors set status = 'verified' where user_id = $1", pharmacy.id)
    await query(
      "insert into auth_factors (user_id, status, secret) values ($1, 'verified', 'x')",
      pharmacy.id,
    )
    expect(await seen()).toEqual([
      [false, true],
      [true, false],
    ])
  })

  it('is for owners alone, as is all that changes it', async () => {
    const { headers, id } = await newColleague(server, owner)
    const only = [403, 'access.owners_only']
    expect(await refusal(server, headers, 'GET')).toEqual(only)
    expect(await refusal(server, headers, 'POST', '', body(newAddress()))).toEqual(only)
    expect(await refusal(server, headers, 'PATCH', `/${id}`, { role: 'owner' })).toEqual(only)
    expect(await refusal(server, headers, 'POST', `/${id}/invitation`)).toEqual(only)
    expect(await refusal(server, headers, 'DELETE', `/${id}`)).toEqual(only)
    expect(await list(server, owner)).toHaveLength(2)
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
    expect(await standing(server, anna)).toEqual({
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

  it('of an owner makes an owner, who invites others', async () => {
    const anna = await newColleague(server, owner, { role: 'owner' })
    const bruno = await newColleague(server, anna.headers, { name: 'Bruno' })
    expect(await standing(server, bruno.headers)).toMatchObject({ id: pharmacy.id, role: 'staff' })
    const { rows } = await query('select invited_by from pharmacy_members where id = $1', bruno.id)
    expect(rows).toEqual([{ invited_by: await userOf(server, anna.id) }])
  })

  it('is recorded, with whoever invited', async () => {
    const { id } = await invite(server, owner)
    const { rows } = await query(
      `select event.action, event.actor_id from audit_events event
       join pharmacy_members member using (user_id) where member.id = $1 and actor_id is not null`,
      id,
    )
    expect(rows).toEqual([{ action: 'user_invited', actor_id: pharmacy.id }])
  })

  it('is not for an address that has an account, whoever it is of', async () => {
    const there = await newPharmacy(server)
    const elsewhere = await newColleague(server, there.owner)
    const invitedElsewhere = await invite(server, there.owner)
    const waiting = await invite(server, owner)
    const [administrator, nobody] = [newAddress('admin'), newAddress('nobody')]
    await server.addAdministrator({ email: administrator })
    await server.addUser(nobody)
    const taken = [
      ['the pharmacy itself', pharmacy.email],
      ['another pharmacy', there.email],
      ['a colleague elsewhere', elsewhere.email],
      ['somebody invited elsewhere', invitedElsewhere.email],
      ['somebody invited here', waiting.email],
      ['an administrator', administrator],
      ['an account of nothing', nobody.toUpperCase()],
    ] as const
    for (const [who, email] of taken) {
      const told = await refusal(server, owner, 'POST', '', body(email))
      expect([who, ...told]).toEqual([who, 409, 'colleagues.address_taken'])
    }
    expect(await mailsTo(server, nobody)).toEqual([])
    expect(await mailsTo(server, waiting.email)).toHaveLength(1)
    expect(await standing(server, elsewhere.headers)).toMatchObject({ id: there.id })
  })

  it('is for one, when two owners invite the same address at once', async () => {
    const there = await newPharmacy(server)
    const { headers: second } = await newColleague(server, owner, { role: 'owner' })
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

  it('beyond thirty leaves nothing behind, however many are made at once', async () => {
    for (let n = 0; n < MOST_COLLEAGUES - 2; n += 1) {
      await server.addColleague({ email: newAddress(), pharmacyId: pharmacy.id })
    }
    const gone = await server.addColleague({ email: newAddress(), pharmacyId: pharmacy.id })
    await query('update pharmacy_members set removed_at = now() where user_id = $1', gone)
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
    for (let n = 0; n < MOST_COLLEAGUES - 1; n += 1) {
      await server.addColleague({ email: newAddress(), pharmacyId: pharmacy.id })
    }
    const told = await askWhileLocked(
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

  it.each([
    { name: '  ' },
    { name: 'x'.repeat(81) },
    { email: 'anna' },
    { email: `${'x'.repeat(250)}@example.it` },
    { role: 'administrator' },
    { pharmacyId: 'PHARM-0002' },
    { name: 'Anna\u0000' },
  ])('is not made of %j', async (wrong) => {
    const payload = { ...body(newAddress()), ...wrong }
    expect(await refusal(server, owner, 'POST', '', payload)).toEqual([400, 'request.invalid'])
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

    // An address that has an account is counted too: nobody goes through thousands of them.
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
    expect(await standing(server, await accept(server, email))).toMatchObject({ role: 'staff' })
  })

  it('is not written to somebody who has come meanwhile', async () => {
    const { id, email } = await newColleague(server, owner)
    const before = await mailsTo(server, email)
    await askInvitation(server, await userOf(server, id))
    expect(await mailsTo(server, email)).toEqual(before)
  })

  it('is not for somebody who has come, nor for the own account of the pharmacy', async () => {
    const { id } = await newColleague(server, owner)
    for (const who of [id, pharmacy.id]) {
      const told = await refusal(server, owner, 'POST', `/${who}/invitation`)
      expect(told).toEqual([409, 'colleagues.not_invited'])
    }
  })

  it('is for the own pharmacy', async () => {
    const there = await newPharmacy(server)
    const { id, email } = await invite(server, there.owner)
    const told = await refusal(server, owner, 'POST', `/${id}/invitation`)
    expect(told).toEqual([404, 'colleagues.not_found'])
    expect(await mailsTo(server, email)).toHaveLength(1)
  })
})
