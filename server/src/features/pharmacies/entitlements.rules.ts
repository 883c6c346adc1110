import { Feature, resolveFeatures } from '@bancone/contract/access'
import type { EntitlementKey } from '@bancone/contract/admin-pharmacies'

/** What a plan grants, or a pharmacy has. `max_offers`: null for any number. */
export type Entitlements = { features: readonly Feature[]; max_offers: number | null }

/** In what a pharmacy deviates from its plan: features that it has or has not, and its limit of offers. */
export type Deviation = { key: EntitlementKey; value: boolean | number | null }

/** What differs from the plan. Equal values are no deviations, so that they follow the plan. */
export function deviationsFrom(plan: Entitlements, wanted: Entitlements): Deviation[] {
  const own = resolveFeatures(wanted.features)
  const features = Feature.options
    .filter((id) => own.includes(id) !== plan.features.includes(id))
    .map((id) => ({ key: id, value: own.includes(id) }))
  return wanted.max_offers === plan.max_offers
    ? features
    : [...features, { key: 'max_offers', value: wanted.max_offers }]
}
