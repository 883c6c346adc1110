import { z } from 'zod/mini'
import { MAX_CENTS } from './money.ts'

/** A price in cents, from 0,01 € to 99.999,99 €. */
export const PriceCents = z.int().check(z.minimum(1), z.maximum(MAX_CENTS))

/**
 * The prior price: the lowest price in the 30 days before a reduction began (art. 17-bis of the Codice del Consumo).
 * `declared`: not all prices of those days are known, and the pharmacy has declared the lowest one.
 */
export const PriorPrice = z.object({
  cents: PriceCents,
  declared: z.boolean(),
})
export type PriorPrice = z.infer<typeof PriorPrice>

/** `discount`: the price is reduced; `featured`: the product is shown without a reduction. */
export type OfferType = 'discount' | 'featured'

/** How the price of an offer is shown. `before`: the struck-out price, in cents; `percent` is 0 without one. */
export type ShownPrice = {
  type: OfferType
  cents: number
  before: number | null
  percent: number
}

/** (1 - offer / list) × 100, rounded; 0 if there is no discount. */
export function discountPercent(list: number, offer: number): number {
  if (!(offer > 0 && list > offer)) return 0
  return Math.round(((list - offer) * 100) / list)
}

/**
 * Calculates how a price is shown. The reduction is measured against the list price or, where it is lower, the prior
 * price. An offer that is not below that price is not a reduction, nor is one whose prior price is unknown.
 */
export function shownPrice(
  list: number,
  offer: number,
  prior: Pick<PriorPrice, 'cents'> | null,
): ShownPrice {
  const before = prior && Math.min(list, prior.cents)
  if (before === null || offer >= before)
    return { type: 'featured', cents: offer, before: null, percent: 0 }
  return { type: 'discount', cents: offer, before, percent: discountPercent(before, offer) }
}
