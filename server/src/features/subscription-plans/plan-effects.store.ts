import { Feature, resolveFeatures } from '@bancone/contract/access'
import type { Day } from '@bancone/contract/dates'
import type { PlanEffects, PlanFields } from '@bancone/contract/subscription-plans'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

const MOST_NAMED = 20

type Row = {
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
export async function planEffects(
  db: Database,
  planId: string,
  { features, max_offers }: PlanFields,
  today: Day,
): Promise<PlanEffects> {
  const { rows } = await sql<Row>`
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
