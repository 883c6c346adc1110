import { z } from 'zod'
import { Day } from './dates.ts'
import { MOST_CENTS } from './money.ts'

/** Cents, above zero and at most 99.999,99 €. */
export const PriceCents = z.number().int().min(1).max(MOST_CENTS)

/**
 * The lowest price in the 30 days before a reduction began (art. 17-bis of the Codice del Consumo). `since`: the
 * first of those days, when the product was on sale for fewer than 30; null otherwise. `declared`: nothing is known
 * of those days, and it is what the pharmacy says, or else its list price.
 */
export const PriorPrice = z.object({
  cents: PriceCents,
  since: Day.nullable(),
  declared: z.boolean(),
})
export type PriorPrice = z.infer<typeof PriorPrice>

/** `discount`: the price is lower than before; `featured`: it is not, and the product is shown all the same. */
export type OfferType = 'discount' | 'featured'

/** How the price of an offer is shown. `before`: the price that is struck out; `percent` is 0 when nothing is. */
export type ShownPrice = {
  type: OfferType
  cents: number
  before: number | null
  percent: number
}

/** Rounded (1 - offer / list) × 100; 0 if it is no discount. */
export function discountPercent(list: number, offer: number): number {
  if (!(offer > 0 && list > offer)) return 0
  return Math.round(((list - offer) * 100) / list)
}

/**
 * The list price is what a reduction is measured by; where the product was sold for less in the 30 days before,
 * that price is, and what is not below it is no reduction.
 */
export function shownPrice(
  list: number,
  offer: number,
  prior: Pick<PriorPrice, 'cents'> | null,
): ShownPrice {
  const before = prior ? Math.min(list, prior.cents) : list
  if (offer >= before) return { type: 'featured', cents: offer, before: null, percent: 0 }
  return { type: 'discount', cents: offer, before, percent: discountPercent(before, offer) }
}
