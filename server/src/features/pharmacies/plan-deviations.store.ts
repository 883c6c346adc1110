import { resolveFeatures } from '@bancone/contract/access'
import { sql } from 'kysely'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import { deviationsFrom, type Entitlements } from './entitlements.rules.ts'

/**
 * Reads a plan and locks it until the end of the transaction. Taken before the lock of a pharmacy, as changes of plans
 * do, so that none of them waits for the other.
 *
 * @throws AppError `plans.not_found`
 */
export async function lockPlan(tx: Database, planId: string): Promise<Entitlements> {
  const plan = await tx
    .selectFrom('subscription_plans')
    .select(['features', 'max_offers'])
    .where('id', '=', planId)
    .forShare()
    .executeTakeFirstOrThrow(() => new AppError('plans.not_found'))
  return { features: resolveFeatures(plan.features), max_offers: plan.max_offers }
}

/** Locks all plans until the end of the transaction, before the pharmacies like `lockPlan`. */
export async function lockPlans(tx: Database): Promise<void> {
  await tx.selectFrom('subscription_plans').select('id').orderBy('id').forShare().execute()
}

/** Ends the features of plans whose days of grace have passed. @returns the number of pharmacies */
export function endPlans(db: Database): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await lockPlans(tx)
    const { numUpdatedRows } = await tx
      .updateTable('pharmacies')
      // Makes the trigger compute them.
      .set({ plan_valid_until: sql<string>`plan_valid_until` })
      .where('subscription_plan_id', 'is not', null)
      .where(sql<boolean>`is_plan_over(plan_valid_until) and features_enabled <> '[]'`)
      .executeTakeFirst()
    return Number(numUpdatedRows)
  })
}

/** Stores in what a pharmacy deviates from its plan. Triggers compute what it then has. */
export async function writeDeviations(
  tx: Database,
  pharmacyId: string,
  { plan, wanted, userId }: { plan: Entitlements; wanted: Entitlements; userId: string | null },
): Promise<void> {
  const deviations = deviationsFrom(plan, wanted)
  await tx
    .deleteFrom('plan_deviations')
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`key <> all(${deviations.map(({ key }) => key)}::text[])`)
    .execute()
  for (const { key, value } of deviations) {
    await tx
      .insertInto('plan_deviations')
      .values({
        pharmacy_id: pharmacyId,
        key,
        value: JSON.stringify(value),
        created_by: userId,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['pharmacy_id', 'key'])
          .doUpdateSet((is) => ({
            value: is.ref('excluded.value'),
            created_by: is.ref('excluded.created_by'),
            created_at: sql<string>`now()`,
          }))
          .where(sql<boolean>`plan_deviations.value <> excluded.value`),
      )
      .execute()
  }
}
