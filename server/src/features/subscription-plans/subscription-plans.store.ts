import { resolveFeatures } from '@bancone/contract/access'
import type { PlanFields, SubscriptionPlan } from '@bancone/contract/subscription-plans'
import { type Selectable, sql } from 'kysely'
import { AppError } from '../../app-error.ts'
import type { Database } from '../../database/database.ts'
import { violatesConstraint } from '../../database/errors.ts'
import type { SubscriptionPlans } from '../../database/schema.gen.ts'
import type { Audit } from '../../platform/audit.ts'

export type SubscriptionPlansStore = ReturnType<typeof createSubscriptionPlansStore>

/** The only writer of `subscription_plans`. Triggers bring their values to the pharmacies. */
export function createSubscriptionPlansStore(db: Database, audit: Pick<Audit, 'recordChange'>) {
  return {
    /** The cheapest first. */
    async list(): Promise<SubscriptionPlan[]> {
      const rows = await plans(db).orderBy('plan.price').orderBy('plan.name').execute()
      return rows.map(planOf)
    },

    find: (planId: string) => find(db, planId),

    insert(plan: PlanFields): Promise<SubscriptionPlan> {
      return db.transaction().execute(async (tx) => {
        const { id } = await tx
          .insertInto('subscription_plans')
          .values(columns(plan))
          .returning('id')
          .executeTakeFirstOrThrow()
          .catch(nameTaken)
        const target = { type: 'plan', id }
        const after = columns(plan)
        await audit.recordChange(tx, { action: 'plan_created', pharmacyId: null, target, after })
        return find(tx, id)
      })
    },

    update(planId: string, plan: PlanFields): Promise<SubscriptionPlan> {
      return db.transaction().execute(async (tx) => {
        await lock(tx, planId)
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
        await lock(tx, planId)
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
  const row = await plans(db).where('plan.id', '=', planId).executeTakeFirst()
  if (!row) throw new AppError('plans.not_found')
  return planOf(row)
}

function lock(tx: Database, planId: string) {
  return tx
    .selectFrom('subscription_plans')
    .select('id')
    .where('id', '=', planId)
    .forUpdate()
    .execute()
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

function nameTaken(error: unknown): never {
  if (!violatesConstraint(error, 'subscription_plans__name_taken')) throw error
  throw new AppError('plans.name_taken', { cause: error })
}
