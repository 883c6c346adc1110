import type { PharmacyAccount } from '@bancone/contract/pharmacy-actions'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  type AdministrationServer,
  administrationServer,
} from '../../../test/administration-server.ts'
import { accept, newAddress, newPassword } from '../../../test/colleagues-server.ts'
import { ageSessions, canSignIn } from '../../../test/conformance/clients.ts'
import { addFactor } from '../../../test/second-factor.ts'
import { password } from '../../../test/server.ts'

let server: AdministrationServer
let plan: SubscriptionPlan

beforeAll(async () => {
  server = await administrationServer()
  plan = await server.addPlan()
})

const url = (id: string, rest = '') => `/api/admin/pharmacies/${id}/account${rest}`

async function account(id: string): Promise<PharmacyAccount> {
  return (await server.ask('GET', url(id))).json<PharmacyAccount>()
}

async function newPharmacy() {
  const email = newAddress('azioni')
  const id = await server.addPharmacy({ email, code: email.split('@')[0]?.toUpperCase() ?? '' })
  return { id, email }
}

/** Action, actor, pharmacy and outcome of the newest events about the pharmacy in the audit log. */
async function audited(pharmacyId: string) {
  const { rows } = await server.database.pool.query<{ action: string; outcome: string }>(
    `select action, outcome from audit_events where pharmacy_id = $1 and actor_id = $2 order by id`,
    [pharmacyId, server.administratorId],
  )
  return rows.map(({ action, outcome }) => `${action} ${outcome}`)
}

describe('a reset of the second factor', () => {
  it('removes all factors and the recovery codes, and informs the owner', async () => {
    const { id, email } = await newPharmacy()
    await addFactor(server.database, id)
    await server.database.pool.query(
      "insert into auth_factors (user_id, secret, friendly_name) values ($1, '\\x00', 'Altra')",
      [id],
    )
    await server.database.pool.query(
      "update auth_factors set status = 'verified' where user_id = $1",
      [id],
    )
    const code = "insert into auth_recovery_codes (user_id, code_hash) values ($1, '\\x00')"
    await server.database.pool.query(code, [id])
    expect(await account(id)).toMatchObject({ secondFactors: 2, hasJoined: true })
    const reply = await server.ask('DELETE', url(id, '/factors'))
    expect(reply.json()).toMatchObject({ email, secondFactors: 0 })
    const left = 'select from auth_recovery_codes where user_id = $1'
    expect((await server.database.pool.query(left, [id])).rowCount).toBe(0)
    expect((await server.nextMail(email)).subject).toContain('tolta')
    expect(await audited(id)).toEqual([
      'factor_removed_by_administrator done',
      'factor_removed_by_administrator done',
    ])
  })
})

describe('the link that is sent again', () => {
  it('is the invitation until it was accepted, and replaces the one before', async () => {
    const made = await server.createPharmacy(plan, { email: newAddress('invito') })
    const first = await server.nextMail(made.email)
    expect(await account(made.id)).toMatchObject({ hasJoined: false, secondFactors: 0 })
    const again = await server.ask('POST', url(made.id, '/links'))
    expect(again.json()).toEqual({ sent: 'invitation' })
    expect((await server.nextMail(made.email)).link.href).not.toBe(first.link.href)
    const old = { token_hash: first.linked.get('token_hash') ?? '', type: 'invite' }
    const used = await server.app.inject({ method: 'POST', url: '/auth/v1/verify', payload: old })
    expect(used.statusCode).toBe(403)
    await accept(server, made.email)
    expect(await account(made.id)).toMatchObject({ hasJoined: true })
    expect(await audited(made.id)).toContain('user_invited done')
  })

  it('lets an account that has joined choose a new password', async () => {
    const { id, email } = await newPharmacy()
    expect((await server.ask('POST', url(id, '/links'))).json()).toEqual({ sent: 'recovery' })
    const { linked } = await server.nextMail(email)
    const payload = { token_hash: linked.get('token_hash') ?? '', type: 'recovery' }
    const verified = await server.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
    expect(verified.statusCode, verified.body).toBe(200)
    expect(await audited(id)).toEqual(['link_generated done'])
  })
})

describe('a change of the address', () => {
  it('follows everywhere, ends the sessions and informs the old address', async () => {
    const { id, email } = await newPharmacy()
    const headers = await server.signIn(email)
    const wanted = newAddress('Nuovo')
    const reply = await server.ask('PUT', url(id, '/email'), { email: wanted.toUpperCase() })
    expect(reply.json()).toMatchObject({ email: wanted.toLowerCase(), hasJoined: true })
    expect((await server.pharmacy(id)).email).toBe(wanted.toLowerCase())
    const own = await server.app.inject({ url: '/api/pharmacy', headers })
    expect(own.statusCode).toBe(401)
    expect(await canSignIn(server, wanted, password)).toBe(true)
    expect(await canSignIn(server, email, password)).toBe(false)
    const { subject, text } = await server.nextMail(email)
    expect(subject).toBe("L'indirizzo del tuo account è cambiato")
    expect(text.toLowerCase()).not.toContain(wanted.toLowerCase())
    expect(await audited(id)).toEqual(['user_changed done'])
  })

  it('invites at the new address who has not joined, and makes the old link invalid', async () => {
    const made = await server.createPharmacy(plan, { email: newAddress('sbagliato') })
    const old = await server.nextMail(made.email)
    const wanted = newAddress('giusto')
    await server.ask('PUT', url(made.id, '/email'), { email: wanted })
    await server.nextMail(wanted)
    const payload = { token_hash: old.linked.get('token_hash') ?? '', type: 'invite' }
    const used = await server.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
    expect(used.statusCode).toBe(403)
    await accept(server, wanted)
    expect(await canSignIn(server, wanted, newPassword)).toBe(true)
    // The wrong address may be another person's.
    const mails = await server.mails()
    expect(mails.filter(({ to }) => to === made.email)).toHaveLength(1)
  })

  it('is refused to a taken address, and changes nothing when it is the same', async () => {
    const { id, email } = await newPharmacy()
    const headers = await server.signIn(email)
    const taken = { email: 'AMMINISTRATORE@example.it' }
    expect(await server.refusal('PUT', url(id, '/email'), taken)).toEqual([
      409,
      'pharmacies.email_taken',
    ])
    await server.ask('PUT', url(id, '/email'), { email: email.toUpperCase() })
    expect((await server.app.inject({ url: '/api/pharmacy', headers })).statusCode).toBe(200)
  })
})

it('refuses an administrator whose session is merely open, what could take an account over', async () => {
  const { id } = await newPharmacy()
  await addFactor(server.database, id)
  const stale = [403, 'session.reauthentication_needed']
  await ageSessions(server, server.administratorId)
  const email = { email: newAddress('ladro') }
  expect(await server.refusal('PUT', url(id, '/email'), email)).toEqual(stale)
  expect(await server.refusal('DELETE', url(id, '/factors'))).toEqual(stale)
  expect(await account(id)).toMatchObject({ secondFactors: 1 })
  expect(await audited(id)).toEqual([
    'user_changed refused',
    'factor_removed_by_administrator refused',
  ])
})

it('finds no pharmacy that is deleted, nor an account that is none', async () => {
  const made = await server.createPharmacy(plan)
  await server.ask('DELETE', `/api/admin-delete-pharmacy?pharmacyId=${made.id}`)
  for (const id of [made.id, server.administratorId]) {
    expect((await server.ask('GET', url(id))).statusCode).toBe(404)
    expect((await server.ask('POST', url(id, '/links'))).statusCode).toBe(404)
  }
})
