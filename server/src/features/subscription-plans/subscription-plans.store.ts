import { Feature, resolveFeatures } from '@bancone/contract/access'
import type { Day } from '@bancone/contract/dates'
import type {
  PlanEffects,
  PlanFields,
  SubscriptionPlan,
} from '@bancone/contract/subscription-plans'
import { type Selectable, sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { rethrowViolationAs } from '../../database/errors.ts'
import type { SubscriptionPlans } from '../../database/schema.gen.ts'
import type { Audit } from '../../platform/audit.ts'

/** The only writer of `subscription_plans`. Triggers bring their values to the pharmacies. */
export function createSubscriptionPlansStore(db: Database, audit: Pick<Audit, 'recordChange'>) {
  return {
    /** The cheapest first. */
    async list(): Promise<SubscriptionPlan[]> {
      const rows = await plans(db).orderBy('plan.price').orderBy('plan.name').execute()
      return rows.map(planOf)
    },

    /** What a change of the plan would mean for its pharmacies. */
    async effects(planId: string, plan: PlanFields, today: Day): Promise<PlanEffects> {
      await find(db, planId)
      return effectsOf(db, planId, plan, today)
    },

    insert(plan: PlanFields): Promise<SubscriptionPlan> {
      return db.transaction().execute((tx) => insertPlan(tx, audit, plan))
    },

    update(planId: string, plan: PlanFields): Promise<SubscriptionPlan> {
      return db.transaction().execute(async (tx) => {
        await sql`select from subscription_plans where id = ${planId} for update`.execute(tx)
        const before = columns(await find(tx, planId))
        const after = columns(plan)
        await tx
          .updateTable('subscription_plans')
          .set({ ...after, updated_at: sql<string>`now()` })
          .where('id', '=', planId)
          .execute()
          .catch(nameTaken)
        const change = { pharmacyId: null, target: { type: 'plan', id: planId }, before, after }
        await audit.recordChange(tx, { action: 'plan_changed', ...change })
        return find(tx, planId)
      })
    },

    /** @throws AppError `plans.in_use` with the number of pharmacies that have the plan */
    remove(planId: string): Promise<void> {
      return db.transaction().execute(async (tx) => {
        // Locked, so that no pharmacy gets the plan meanwhile.
        await sql`select from subscription_plans where id = ${planId} for update`.execute(tx)
        const plan = await find(tx, planId)
        const { pharmacies } = plan
        if (pharmacies > 0) {
          const text = `Impossibile eliminare il piano: è utilizzato da ${pharmacies} farmacie`
          throw new AppError('plans.in_use', { text, details: { pharmacies } })
        }
        await tx.deleteFrom('subscription_plans').where('id', '=', planId).execute()
        const target = { type: 'plan', id: planId }
        const before = columns(plan)
        await audit.recordChange(tx, { action: 'plan_deleted', pharmacyId: null, target, before })
      })
    },
  }
}

/** Inserts a plan in a transaction. */
export async function insertPlan(
  tx: Database,
  audit: Pick<Audit, 'recordChange'>,
  plan: PlanFields,
): Promise<SubscriptionPlan> {
  const after = columns(plan)
  const { id } = await tx
    .insertInto('subscription_plans')
    .values(after)
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch(nameTaken)
  const target = { type: 'plan', id }
  await audit.recordChange(tx, { action: 'plan_created', pharmacyId: null, target, after })
  return find(tx, id)
}

function plans(db: Database) {
  return db
    .selectFrom('subscription_plans as plan')
    .selectAll('plan')
    .select((of) =>
      of
        .selectFrom('pharmacies')
        .select((pharmacy) => pharmacy.fn.countAll<string>().as('count'))
        .whereRef('pharmacies.subscription_plan_id', '=', 'plan.id')
        .as('pharmacies'),
    )
}

async function find(db: Database, planId: string): Promise<SubscriptionPlan> {
  const row = await plans(db)
    .where('plan.id', '=', planId)
    .executeTakeFirstOrThrow(() => new AppError('plans.not_found'))
  return planOf(row)
}

function columns({ name, description, max_offers, price, features }: PlanFields) {
  return { name, description, max_offers, price, features: resolveFeatures(features) }
}

type PlanRow = Selectable<SubscriptionPlans> & { pharmacies: string | null }

function planOf(row: PlanRow): SubscriptionPlan {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    max_offers: row.max_offers,
    price: Number(row.price),
    features: resolveFeatures(row.features),
    created_at: row.created_at,
    pharmacies: Number(row.pharmacies),
  }
}

const nameTaken = rethrowViolationAs('plans.name_taken', 'subscription_plans__name_taken')

const MOST_NAMED = 20

type EffectRow = {
  id: string
  name: string
  old_features: unknown
  new_features: unknown
  old_limit: number | null
  new_limit: number | null
  used: number
  deviates: boolean
}

/**
 * What a plan would mean for its pharmacies with these values. Computed by the function that the triggers use, so that
 * it is what then happens. Deleted pharmacies are not counted.
 */
async function effectsOf(
  db: Database,
  planId: string,
  { features, max_offers }: PlanFields,
  today: Day,
): Promise<PlanEffects> {
  const { rows } = await sql<EffectRow>`
    select pharmacy.id, pharmacy.name, pharmacy.features_enabled as old_features, next.features as new_features,
      pharmacy.max_offers as old_limit, next.max_offers as new_limit, (
        select count(*)::int from product_offers as offer
        where offer.pharmacy_id = pharmacy.id and offer.is_active and coalesce(offer.end_date >= ${today}, true)
      ) as used,
      exists (select from plan_deviations where pharmacy_id = pharmacy.id) as deviates
    from pharmacies pharmacy
    cross join lateral entitlements(
      pharmacy.id, ${[...features]}::text[], ${max_offers}::integer, pharmacy.plan_valid_until
    ) next
    where pharmacy.subscription_plan_id = ${planId} and pharmacy.deleted_at is null
    order by pharmacy.name, pharmacy.id
  `.execute(db)
  const changes = rows.map((row) => ({
    before: resolveFeatures(row.old_features),
    after: resolveFeatures(row.new_features),
  }))
  const above = rows.filter(({ new_limit, used }) => new_limit !== null && used > new_limit)
  return {
    pharmacies: rows.length,
    gained: counts((id) =>
      changes.filter((of) => !of.before.includes(id) && of.after.includes(id)),
    ),
    lost: counts((id) => changes.filter((of) => of.before.includes(id) && !of.after.includes(id))),
    limitChanged: rows.filter(({ old_limit, new_limit }) => old_limit !== new_limit).length,
    aboveLimit: above.slice(0, MOST_NAMED).map(({ id, name, used }) => ({ id, name, used })),
    aboveLimitCount: above.length,
    deviating: rows.filter(({ deviates }) => deviates).length,
  }
}

/** The number of pharmacies by feature, without zeros. */
function counts(of: (feature: Feature) => unknown[]): PlanEffects['gained'] {
  const all = Feature.options.map((feature) => [feature, of(feature).length] as const)
  return Object.fromEntries(all.filter(([, count]) => count > 0))
}
