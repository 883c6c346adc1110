import { addDays, dayOf } from '@bancone/contract/dates'
import { PlanEffects, type SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import {
  type AdministrationServer,
  administrationServer,
} from '../../../test/administration-server.ts'
import { untilBlocked } from '../../../test/lock-waits.ts'
import { otherApp, password } from '../../../test/server.ts'

let server: AdministrationServer
let plan: SubscriptionPlan

beforeAll(async () => {
  server = await administrationServer()
})

beforeEach(async () => {
  plan = await server.addPlan()
})

const fieldsOf = ({ name, description, max_offers, price, features }: SubscriptionPlan) => ({
  name,
  description,
  max_offers,
  price,
  features,
})
const url = () => `/api/admin/subscription-plans/${plan.id}`
const change = (fields: object) => server.ask('PUT', url(), { ...fieldsOf(plan), ...fields })
const preview = async (fields: object) => {
  const reply = await server.ask('POST', `${url()}/effects`, { ...fieldsOf(plan), ...fields })
  return PlanEffects.parse(reply.json())
}
const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

async function stored(id: string): Promise<unknown[]> {
  const { rows } = await query(
    'select features_enabled, max_offers from pharmacies where id = $1',
    id,
  )
  const [row] = rows as { features_enabled: string[]; max_offers: number | null }[]
  return [row?.features_enabled, row?.max_offers]
}

async function addOffers(pharmacyId: string, count: number) {
  await query(
    `insert into product_offers (pharmacy_id, pharmacy_code, product_name, category, list_price, offer_price,
       start_date, image_url)
     select id, pharmacy_id, 'Crema ' || n, 'Altro', 200, 100, current_date, '/placeholder.webp'
     from pharmacies, generate_series(1, $2::int) n where id = $1`,
    pharmacyId,
    count,
  )
}

describe('a plan', () => {
  it('is listed by price with the number of its pharmacies', async () => {
    const cheap = await server.addPlan({ price: 0, max_offers: null, features: ['analytics'] })
    await server.createPharmacy(plan)
    const reply = await server.ask('GET', '/api/admin/subscription-plans')
    const { plans } = reply.json<{ plans: SubscriptionPlan[] }>()
    expect(plans.at(0)?.id).toBe(cheap.id)
    expect(plans).toContainEqual({ ...plan, pharmacies: 1 })
    expect(plans).toContainEqual({ ...cheap, max_offers: null, features: ['analytics'] })
  })

  it('has a name that no other plan has, regardless of case', async () => {
    const taken = { ...fieldsOf(plan), name: plan.name.toUpperCase() }
    const refused = [409, 'plans.name_taken']
    expect(await server.refusal('POST', '/api/admin/subscription-plans', taken)).toEqual(refused)
    const other = await server.addPlan()
    const path = `/api/admin/subscription-plans/${other.id}`
    expect(await server.refusal('PUT', path, taken)).toEqual(refused)
  })

  it('is deleted only while no pharmacy has it', async () => {
    await server.createPharmacy(plan)
    const reply = await server.ask('DELETE', url())
    expect([reply.statusCode, reply.json()]).toMatchObject([
      409,
      {
        code: 'plans.in_use',
        error: 'Impossibile eliminare il piano: è utilizzato da 1 farmacie',
        details: { pharmacies: 1 },
      },
    ])
    plan = await server.addPlan()
    expect((await server.ask('DELETE', url())).statusCode).toBe(200)
    expect(await server.refusal('DELETE', url())).toEqual([404, 'plans.not_found'])
    const unknown = [404, 'plans.not_found']
    expect(await server.refusal('PUT', url(), fieldsOf(plan))).toEqual(unknown)
    expect(await server.refusal('POST', `${url()}/effects`, fieldsOf(plan))).toEqual(unknown)
  })
})

describe('a change of a plan', () => {
  it('reaches the pharmacies that follow it, and not what others deviate in', async () => {
    const follows = await server.createPharmacy(plan)
    const deviates = await server.createPharmacy(plan, {
      max_offers: 50,
      features_enabled: ['offers', 'analytics'],
    })
    const elsewhere = await server.createPharmacy(await server.addPlan())
    await change({ max_offers: 3, features: ['offers', 'priority_access'] })
    expect(await stored(follows.id)).toEqual([['offers', 'priority_access'], 3])
    expect(await stored(deviates.id)).toEqual([['analytics', 'offers', 'priority_access'], 50])
    expect(await stored(elsewhere.id)).toEqual([['offers', 'whatsapp_integration'], 10])
    expect((await server.pharmacy(deviates.id)).deviations).toEqual([
      'analytics',
      'max_offers',
      'whatsapp_integration',
    ])
  })

  it('has the effects that were told before', async () => {
    const follows = await server.createPharmacy(plan)
    const keeps = await server.createPharmacy(plan, { features_enabled: ['offers', 'analytics'] })
    await server.createPharmacy(plan, { max_offers: null })
    const over = await server.createPharmacy(plan, {
      plan_valid_until: addDays(dayOf(Date.now()), -15),
    })
    const deleted = await server.createPharmacy(plan)
    await server.ask('DELETE', `/api/admin-delete-pharmacy?pharmacyId=${deleted.id}`)
    await addOffers(follows.id, 4)
    await addOffers(keeps.id, 3)
    const next = { max_offers: 3, features: ['analytics', 'whatsapp_integration'] }
    expect(await preview(next)).toEqual({
      pharmacies: 4,
      // One has them against the plan; the plan of one is over.
      gained: { analytics: 2 },
      lost: { offers: 3 },
      limitChanged: 3,
      aboveLimit: [{ id: follows.id, name: follows.name, used: 4 }],
      aboveLimitCount: 1,
      deviating: 2,
    })
    expect(await stored(over.id)).toEqual([[], 10])
    await change(next)
    expect(await stored(follows.id)).toEqual([['analytics', 'whatsapp_integration'], 3])
    expect(await stored(keeps.id)).toEqual([['analytics'], 3])
    expect(await stored(over.id)).toEqual([[], 3])
    expect(await preview(next)).toMatchObject({ gained: {}, lost: {}, limitChanged: 0 })
    const { rows } = await query('select id from product_offers where pharmacy_id = $1', follows.id)
    expect(rows).toHaveLength(4)
  })

  it('counts at once in sessions that are open, and in other processes', async () => {
    const other = await otherApp(server.database)
    const pharmacy = await server.createPharmacy(plan, { password })
    const headers = await server.signIn(pharmacy.email)
    const offers = () => other.app.inject({ url: '/api/offers', headers })
    const status = async () => (await offers()).statusCode
    expect(await status()).toBe(200)
    await change({ features: [] })
    await vi.waitFor(async () => expect(await status()).toBe(403), { timeout: 2_000 })
    await change({ features: ['offers'], max_offers: null })
    await vi.waitFor(async () => expect(await status()).toBe(200), { timeout: 2_000 })
    expect((await offers()).json()).toMatchObject({ limit: { active: 0, most: null } })
  })

  it('comes before or after one of a pharmacy that is made at the same time', async () => {
    const [follows, turns] = [await server.createPharmacy(plan), await server.createPharmacy(plan)]
    const turn = server.newPharmacy(plan, { features_enabled: ['offers'] })
    const replies = await Promise.all([
      change({ max_offers: 7, features: ['offers', 'analytics'] }),
      server.ask('PUT', `/api/admin/pharmacies/${turns.id}`, turn),
      change({ max_offers: 8, features: ['offers', 'analytics'] }),
      server.ask('PUT', `/api/admin/pharmacies/${turns.id}`, turn),
    ])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
    const { rows } = await query(
      `select p.id from pharmacies p join subscription_plans plan on plan.id = p.subscription_plan_id
       cross join lateral entitlements(p.id, plan.features, plan.max_offers, null) e
       where p.id = any($1) and (p.features_enabled, p.max_offers) is distinct from (e.features, e.max_offers)`,
      [follows.id, turns.id],
    )
    expect(rows).toEqual([])
  })
})

describe('the end of a plan', () => {
  const today = dayOf(Date.now())

  it('takes the features 14 days later, and leaves the limit', async () => {
    const inGrace = await server.createPharmacy(plan, { plan_valid_until: addDays(today, -14) })
    const over = await server.createPharmacy(plan, {
      plan_valid_until: addDays(today, -15),
      features_enabled: ['offers', 'analytics'],
    })
    expect(await stored(inGrace.id)).toEqual([['offers', 'whatsapp_integration'], 10])
    expect(await stored(over.id)).toEqual([[], 10])
    // The form shows what comes back with a new end.
    expect(over.features_enabled).toEqual(['offers', 'analytics'])
    await server.ask('PUT', `/api/admin/pharmacies/${over.id}`, {
      ...over,
      plan_valid_until: today,
    })
    expect(await stored(over.id)).toEqual([['analytics', 'offers'], 10])
  })

  /** A pharmacy as if the end of its plan had passed since the values were computed. */
  async function withPlanJustOver() {
    const pharmacy = await server.createPharmacy(plan)
    await query('alter table pharmacies disable trigger pharmacies__entitlements')
    await query(
      'update pharmacies set plan_valid_until = $2 where id = $1',
      pharmacy.id,
      addDays(today, -15),
    )
    await query('alter table pharmacies enable trigger pharmacies__entitlements')
    return pharmacy
  }

  it('is applied by a job every day', async () => {
    const pharmacy = await withPlanJustOver()
    expect(await stored(pharmacy.id)).toEqual([['offers', 'whatsapp_integration'], 10])
    await server.runTask('pharmacies.plan-expiry')
    expect(await stored(pharmacy.id)).toEqual([[], 10])
  })

  it('is applied after a change of the plan at the same time, without a deadlock', async () => {
    const pharmacy = await withPlanJustOver()
    const { pool } = server.database
    const changing = await pool.connect()
    try {
      await changing.query('begin')
      await changing.query('select from subscription_plans where id = $1 for update', [plan.id])
      const ended = server.runTask('pharmacies.plan-expiry')
      await untilBlocked(pool)
      const text = 'update subscription_plans set max_offers = 3 where id = $1'
      await Promise.all([
        ended,
        changing.query(text, [plan.id]).then(() => changing.query('commit')),
      ])
    } finally {
      changing.release(true)
    }
    expect(await stored(pharmacy.id)).toEqual([[], 3])
  })
})
