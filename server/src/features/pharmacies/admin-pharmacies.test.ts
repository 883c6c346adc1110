import { AdminPharmacy, type PharmacyChange } from '@bancone/contract/admin-pharmacies'
import { listAuditEvents } from '@bancone/contract/audit'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import type { SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { startAirtable } from '@bancone/sandbox/airtable'
import { ordersTable } from '@bancone/sandbox/airtable/schema'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import {
  type AdministrationServer,
  administrationServer,
} from '../../../test/administration-server.ts'
import { beforeCacheEnds } from '../../../test/before-cache-ends.ts'
import { accept, newPassword } from '../../../test/colleagues-server.ts'
import { ageSessions, canSignIn } from '../../../test/conformance/clients.ts'
import { password } from '../../../test/server.ts'

let server: AdministrationServer
let plan: SubscriptionPlan

beforeAll(async () => {
  server = await administrationServer()
  plan = await server.addPlan()
})

const create = (body: object) => server.ask('POST', '/api/admin-create-pharmacy', body)
const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

const listed = async (state: string) => {
  const reply = await server.ask('GET', `/api/admin/pharmacies?state=${state}`)
  return z.array(AdminPharmacy).parse(reply.json<{ pharmacies: unknown }>().pharmacies)
}

function changeOf(pharmacy: AdminPharmacy, fields: Partial<PharmacyChange> = {}) {
  return { ...pharmacy, ...fields }
}

describe('a new pharmacy', () => {
  it('signs in with the password that was chosen for it', async () => {
    const made = await server.createPharmacy(plan, { email: 'Rossi@Example.it', password })
    expect(made).toMatchObject({
      email: 'rossi@example.it',
      subscription_plans: { name: plan.name, price: 29.9 },
      phone: null,
      deviations: [],
      deleted_at: null,
    })
    expect(made.pharmacy_id).toMatch(/^PHARM-\d{4}$/)
    const headers = await server.signIn('rossi@example.it')
    const own = await server.app.inject({ url: '/api/pharmacy', headers })
    expect(own.json()).toMatchObject({
      id: made.id,
      role: 'owner',
      planName: plan.name,
      planValidUntil: null,
    })
  })

  it('without a password gets a link that works once', async () => {
    const made = await server.createPharmacy(plan, { email: 'verdi@example.it' })
    const headers = await accept(server, 'verdi@example.it')
    const own = await server.app.inject({ url: '/api/pharmacy', headers })
    expect(own.json()).toMatchObject({ id: made.id, personName: null })
    expect(await canSignIn(server, 'verdi@example.it', newPassword)).toBe(true)
  })

  it('is there with its account, or nothing of it is', async () => {
    const count = async () => {
      const { rows } = await server.database.pool.query<{ jobs: string }>(
        `select (select count(*) from auth_users) as users, (select count(*) from pharmacies) as pharmacies,
           (select count(*) from graphile_worker.jobs) as jobs, (select count(*) from plan_deviations) as deviations`,
      )
      return rows
    }
    await server.createPharmacy(plan, { pharmacy_id: 'presa-1' })
    await vi.waitUntil(async () => (await count())[0]?.jobs === '0')
    const before = await count()
    const refused = (fields: object) =>
      server.refusal('POST', '/api/admin-create-pharmacy', server.newPharmacy(plan, fields))
    expect(await refused({ pharmacy_id: 'PRESA-1', max_offers: 3 })).toEqual([
      409,
      'pharmacies.code_taken',
    ])
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect(await refused({ subscription_plan_id: unknown })).toEqual([404, 'plans.not_found'])
    expect(await refused({ password: 'password' })).toEqual([422, 'pharmacies.weak_password'])
    const taken = [409, 'pharmacies.email_taken']
    expect(await refused({ email: 'AMMINISTRATORE@example.it' })).toEqual(taken)
    expect(await refused({ email: 'amministratore@example.it', password })).toEqual(taken)
    expect(await count()).toEqual(before)
  })

  it('has a code that was never used, also when many are made at once', async () => {
    const gone = await server.createPharmacy(plan)
    await query('delete from pharmacies where id = $1', gone.id)
    const next = Number(gone.pharmacy_id.slice(6)) + 1
    await server.createPharmacy(plan, { pharmacy_id: `PHARM-${String(next).padStart(4, '0')}` })
    const made = await Promise.all([1, 2, 3, 4].map(() => server.createPharmacy(plan)))
    const codes = made.map(({ pharmacy_id }) => pharmacy_id)
    expect(new Set(codes).size).toBe(4)
    expect(codes).not.toContain(gone.pharmacy_id)
    const again = server.newPharmacy(plan, { pharmacy_id: gone.pharmacy_id.toLowerCase() })
    expect(await server.refusal('POST', '/api/admin-create-pharmacy', again)).toEqual([
      409,
      'pharmacies.code_taken',
    ])
  })

  it('takes its features as a list or as an object, and no value that no one can mean', async () => {
    const object = server.newPharmacy(plan, {
      features_enabled: { analytics: true, offers: false },
      max_offers: null,
    })
    const { pharmacy } = (await create(object)).json<{ pharmacy: AdminPharmacy }>()
    expect(pharmacy).toMatchObject({ features_enabled: ['analytics'], max_offers: null })
    expect(pharmacy.deviations).toEqual([
      'analytics',
      'max_offers',
      'offers',
      'whatsapp_integration',
    ])
    for (const fields of [
      { features_enabled: ['everything'] },
      { max_offers: 'abc' },
      { max_offers: -1 },
      { max_offers: 2.5 },
      { plan_valid_until: '0026-12-31' },
    ]) {
      const { statusCode } = await create({ ...server.newPharmacy(plan), ...fields })
      expect(statusCode, JSON.stringify(fields)).toBe(400)
    }
  })

  it.each([
    String.raw`/\evil.example`,
    '//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ])('has no logo at %j', async (logo_url) => {
    expect((await create({ ...server.newPharmacy(plan), logo_url })).statusCode).toBe(400)
  })
})

describe('a telephone number', () => {
  it.each(['abc', '3,93415E+11', '415201234'])(
    '%s that nobody can call is refused, except where it is already',
    async (phone) => {
      const wanted = server.newPharmacy(plan, { phone })
      const refusal = [422, 'pharmacies.bad_phone']
      expect(await server.refusal('POST', '/api/admin-create-pharmacy', wanted)).toEqual(refusal)
      const made = await server.createPharmacy(plan)
      const path = `/api/admin/pharmacies/${made.id}`
      expect(await server.refusal('PUT', path, changeOf(made, { phone }))).toEqual(refusal)
      await query('update pharmacies set phone = $2 where id = $1', made.id, phone)
      expect((await server.ask('PUT', path, changeOf(made, { phone }))).statusCode).toBe(200)
    },
  )
})

describe('a change of a pharmacy', () => {
  it('stores as a deviation what differs from the plan, and nothing else', async () => {
    const made = await server.createPharmacy(plan, { phone: '041 520 1234' })
    const path = `/api/admin/pharmacies/${made.id}`
    const wanted = changeOf(made, { name: 'Nuova', phone: '', max_offers: 0 })
    const { pharmacy } = (await server.ask('PUT', path, wanted)).json<{ pharmacy: AdminPharmacy }>()
    expect(pharmacy).toMatchObject({ name: 'Nuova', phone: null, deviations: ['max_offers'] })
    expect(pharmacy.email).toBe(made.email)
    const other = await server.addPlan({ max_offers: 0, features: ['offers'] })
    await server.ask('PUT', path, changeOf(pharmacy, { subscription_plan_id: other.id }))
    expect(await server.pharmacy(made.id)).toMatchObject({
      max_offers: 0,
      features_enabled: ['offers', 'whatsapp_integration'],
      deviations: ['whatsapp_integration'],
    })
  })

  it('stands in the audit log with the names of plans and features', async () => {
    const made = await server.createPharmacy(plan)
    const other = await server.addPlan({ name: 'Oro', features: ['analytics'] })
    const wanted = { subscription_plan_id: other.id, features_enabled: other.features }
    await server.ask('PUT', `/api/admin/pharmacies/${made.id}`, changeOf(made, wanted))
    const reply = await server.ask('GET', `/api/admin/audit?pharmacy=${made.id}`)
    expect(listAuditEvents.response.parse(reply.json()).events[0]?.changes).toMatchObject([
      {
        field: 'features_enabled',
        before: 'Pagina Offerte, Integrazione WhatsApp',
        after: 'Statistiche e Analytics',
      },
      { field: 'subscription_plan', before: plan.name, after: 'Oro' },
    ])
  })

  it('is refused where the pharmacy or its plan was changed meanwhile', async () => {
    const own = await server.addPlan()
    const made = await server.createPharmacy(own)
    const path = `/api/admin/pharmacies/${made.id}`
    const { name, description, price, features } = own
    const changedPlan = { name, description, price, features, max_offers: 77 }
    await server.ask('PUT', `/api/admin/subscription-plans/${own.id}`, changedPlan)
    const refused = await server.ask('PUT', path, { ...made, seen: made.version })
    expect([refused.statusCode, refused.json<{ code: string }>().code]).toEqual([
      409,
      'pharmacies.changed_meanwhile',
    ])
    const now = await server.pharmacy(made.id)
    expect(now).toMatchObject({ max_offers: 77, deviations: [] })
    const accepted = await server.ask('PUT', path, { ...now, seen: now.version })
    expect(accepted.statusCode).toBe(200)
  })

  it('replaces the password, and ends the sessions', async () => {
    const made = await server.createPharmacy(plan)
    const path = `/api/admin/pharmacies/${made.id}`
    const change = (fields: object) => server.ask('PUT', path, changeOf(made, fields))
    // Invited, and its link not used yet.
    expect((await change({ password })).statusCode).toBe(200)
    const headers = await server.signIn(made.email)
    expect((await change({ password: '' })).statusCode).toBe(200)
    const ask = () => server.app.inject({ url: '/api/pharmacy', headers })
    expect((await ask()).statusCode).toBe(200)
    const weak = changeOf(made, { name: 'Altro nome', password: 'kurz' })
    expect(await server.refusal('PUT', path, weak)).toEqual([422, 'pharmacies.weak_password'])
    expect((await server.pharmacy(made.id)).name).toBe(made.name)
    await change({ password: newPassword })
    expect((await ask()).statusCode).toBe(401)
    expect(await canSignIn(server, made.email, newPassword)).toBe(true)
  })

  it('of the password needs an administrator who signed in lately', async () => {
    const made = await server.createPharmacy(plan)
    const old = await server.database.pool.query('select id, amr from auth_sessions')
    onTestFinished(async () => {
      for (const { id, amr } of old.rows as { id: string; amr: unknown }[])
        await query('update auth_sessions set amr = $2 where id = $1', id, JSON.stringify(amr))
    })
    await ageSessions(server, server.administratorId)
    const refused = [403, 'session.reauthentication_needed']
    const path = `/api/admin/pharmacies/${made.id}`
    expect(await server.refusal('PUT', path, changeOf(made, { password }))).toEqual(refused)
    const body = server.newPharmacy(plan, { password })
    expect(await server.refusal('POST', '/api/admin-create-pharmacy', body)).toEqual(refused)
    expect((await server.ask('PUT', path, changeOf(made))).statusCode).toBe(200)
  })

  it('does not leave Airtable for the database without the migration', async () => {
    const airtable = { airtable_base_id: 'appVIA0000000002', airtable_table_id: 'tblVIA0000000002' }
    const made = await server.createPharmacy(plan, airtable)
    const change = changeOf(made, { use_supabase_orders: true })
    const path = `/api/admin/pharmacies/${made.id}`
    expect(await server.refusal('PUT', path, change)).toEqual([409, 'pharmacies.not_migrated'])
    expect(await server.refusal('PATCH', path, { use_supabase_orders: true })).toEqual([
      409,
      'migrations.phase_refused',
    ])
  })

  it('does not leave the database for Airtable in one step', async () => {
    const airtable = { airtable_base_id: 'appVIA0000000001', airtable_table_id: 'tblVIA0000000001' }
    const made = await server.createPharmacy(plan, { ...airtable, use_supabase_orders: true })
    const path = `/api/admin/pharmacies/${made.id}`
    const refused = [409, 'pharmacies.orders_in_database']
    // Nor by leaving the table out at the same time.
    for (const fields of [{}, { airtable_base_id: '' }]) {
      const change = changeOf(made, { use_supabase_orders: false, ...fields })
      expect(await server.refusal('PUT', path, change)).toEqual(refused)
    }
    // Without a token the changes cannot be brought to Airtable.
    const off = { use_supabase_orders: false }
    expect(await server.refusal('PATCH', path, off)).toEqual([409, 'migrations.not_configured'])
    expect((await server.pharmacy(made.id)).use_supabase_orders).toBe(true)
  })

  it('switches it off and on, and where its orders come from', async () => {
    const made = await server.createPharmacy(plan, { password })
    const headers = await server.signIn(made.email)
    const path = `/api/admin/pharmacies/${made.id}`
    const off = await server.ask('PATCH', path, { is_active: false })
    expect(off.json()).toMatchObject({
      pharmacy: { is_active: false, use_supabase_orders: false },
    })
    await vi.waitFor(async () => {
      const reply = await server.app.inject({ url: '/api/pharmacy', headers })
      expect(reply.json()).toMatchObject({ code: 'pharmacy.inactive' })
    }, beforeCacheEnds)
    const on = { is_active: true, use_supabase_orders: true }
    expect((await server.ask('PATCH', path, on)).json()).toMatchObject({ pharmacy: on })
  })
})

describe('a deleted pharmacy', () => {
  it('is hidden everywhere at once, and its code and address stay taken', async () => {
    const made = await server.createPharmacy(plan, { password, use_supabase_orders: true })
    const headers = await server.signIn(made.email)
    await server.app.inject({
      method: 'POST',
      url: '/api/offers',
      headers,
      payload: {
        fields: {
          Nome_Prodotto: 'Crema',
          Categoria: 'Altro',
          Prezzo_Listino: 200,
          Prezzo_Offerta: 100,
          URL_Immagine: PLACEHOLDER_IMAGE,
        },
      },
    })
    const seen = async () => [
      (await server.app.inject(`/api/public/offers/${made.pharmacy_id}`)).body.includes(made.name),
      (await server.app.inject('/sitemap.xml')).body.includes(made.pharmacy_id),
    ]
    expect(await seen()).toEqual([true, true])
    const key = await server.app.inject({
      method: 'POST',
      url: '/api/api-keys',
      headers,
      payload: { name: 'Cassa' },
    })
    const authorization = `Bearer ${key.json<{ key: string }>().key}`
    const path = `/api/admin-delete-pharmacy?pharmacyId=${made.id}`
    expect((await server.ask('DELETE', path)).json()).toMatchObject({
      pharmacy: { id: made.id, deleted_at: expect.stringMatching(/^\d{4}-.*Z$/) as string },
    })
    await vi.waitFor(async () => {
      const own = await server.app.inject({ url: '/api/product-categories', headers })
      expect(own.json()).toMatchObject({ code: 'pharmacy.not_found' })
    }, beforeCacheEnds)
    const order = { fields: { Cliente: 'Anna', Ordine: 'Crema' } }
    const made2 = await server.app.inject({
      method: 'POST',
      url: '/api/orders',
      headers: { authorization, 'idempotency-key': 'a-key-of-the-test' },
      payload: order,
    })
    expect(made2.statusCode).toBe(401)
    await vi.waitFor(async () => expect(await seen()).toEqual([false, false]), beforeCacheEnds)
    const offers = await server.app.inject(`/api/public/offers/${made.pharmacy_id}`)
    expect(offers.json()).toMatchObject({ offers: [], error: 'Farmacia non trovata' })
    expect(await server.refusal('DELETE', path)).toEqual([404, 'pharmacies.not_found'])
    const change = `/api/admin/pharmacies/${made.id}`
    expect(await server.refusal('PUT', change, changeOf(made))).toEqual([
      404,
      'pharmacies.not_found',
    ])
    expect((await listed('present')).map(({ id }) => id)).not.toContain(made.id)
    expect((await listed('deleted')).map(({ id }) => id)).toContain(made.id)
    const again = server.newPharmacy(plan, { email: made.email })
    expect(await server.refusal('POST', '/api/admin-create-pharmacy', again)).toEqual([
      409,
      'pharmacies.email_taken',
    ])
  })
})

describe('the counters', () => {
  it('are of what there is', async () => {
    const count = async () => (await server.ask('GET', '/api/admin/statistics')).json<object>()
    const before = await count()
    const made = await server.createPharmacy(plan, { is_active: false })
    expect(await count()).toEqual({
      ...before,
      pharmacies: (before as { pharmacies: number }).pharmacies + 1,
    })
    await server.ask('DELETE', `/api/admin-delete-pharmacy?pharmacyId=${made.id}`)
    expect(await count()).toEqual(before)
  })
})

describe('the check of a connection', () => {
  const body = { airtable_base_id: 'appTest0000000001', airtable_table_id: 'tblOrdini00000001' }

  it('says that no token is configured', async () => {
    const reply = await server.ask('POST', '/api/admin/airtable-checks', body)
    expect(reply.json()).toMatchObject({ problem: 'not_configured' })
  })

  it('asks Airtable', async () => {
    const { airtable_base_id: baseId, airtable_table_id: tableId } = body
    const airtable = await startAirtable({ bases: { [baseId]: [ordersTable(tableId)] } })
    onTestFinished(airtable.close)
    const { url: apiUrl, token } = airtable
    const asking = await administrationServer({ airtable: { apiUrl, token } })
    const reply = await asking.ask('POST', '/api/admin/airtable-checks', body)
    expect(reply.json()).toEqual({
      base: `Base ${baseId}`,
      table: 'Ordini',
      missingColumns: [],
      problem: null,
    })
  })
})
