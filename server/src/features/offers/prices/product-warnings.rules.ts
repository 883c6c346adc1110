import type { Day } from '@bancone/contract/dates'
import type { PriceTerms } from './price-history.rules.ts'

/** A list price that is higher than the last one by more percent than this is unusual. */
const UNUSUAL_PERCENT = 20

/**
 * The last list price of a product, if the new one is far above it. Of an offer that is stored it is the offer's own, so
 * that to save it again raises nothing.
 *
 * @param terms of all offers of the product
 */
export function raisedFrom(
  terms: readonly PriceTerms[],
  { offerId, listPrice }: { offerId: string | null; listPrice: number },
): number | null {
  const own = terms.find((each) => each.offerId === offerId && each.toDay === null)
  const before = (own ?? terms.reduce<PriceTerms | undefined>(later, undefined))?.listPrice
  if (before === undefined) return null
  return listPrice * 100 > before * (100 + UNUSUAL_PERCENT) ? before : null
}

/** The lowest price, other than this one, of another offer of the product that is active today or later. */
export function otherPrice(
  terms: readonly PriceTerms[],
  { offerId, offerPrice }: { offerId: string | null; offerPrice: number },
  today: Day,
): number | null {
  const others = terms
    .filter((each) => each.offerId !== offerId && each.toDay === null && each.isActive)
    .filter(({ endDate }) => endDate === null || endDate >= today)
    .map((each) => each.offerPrice)
    .filter((price) => price !== offerPrice)
  return others.length > 0 ? Math.min(...others) : null
}

/** Terms in force are later than those that have ended. */
function later(one: PriceTerms | undefined, other: PriceTerms): PriceTerms {
  return one !== undefined && place(one) >= place(other) ? one : other
}

function place({ endedAt, fromDay }: PriceTerms): string {
  return endedAt ?? `~${fromDay}`
}
