import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import { filterAndSortOffers, NO_SEARCH, type PublicOffer } from '@bancone/contract/public-offers'
import { stateOf } from '../offer-lists.ts'

/** The offer with the fields that determine its position on the public page. */
function publicOffer({ id, createdTime, fields, prior }: OfferRecord): PublicOffer {
  return { id, createdTime, fields, prior, medicine: false, imageSize: null }
}

/** Offers with a position in their order, then the others as they come. */
function byPosition(one: OfferRecord, other: OfferRecord): number {
  return (
    (one.position ?? Number.POSITIVE_INFINITY) - (other.position ?? Number.POSITIVE_INFINITY) || 0
  )
}

export function isArranged(offers: readonly OfferRecord[]): boolean {
  return offers.some(({ position }) => position !== null)
}

/**
 * The offers that are published now or later, in the order in which customers see them today.
 *
 * @param offers newest first
 */
export function shownOrder(offers: readonly OfferRecord[], today: Day): OfferRecord[] {
  const shown = offers.filter((offer) => ['active', 'scheduled'].includes(stateOf(offer, today)))
  if (isArranged(offers)) return shown.sort(byPosition)
  const filtered = filterAndSortOffers(
    { offers: shown.map(publicOffer), arranged: false },
    NO_SEARCH,
  )
  return filtered.flatMap(({ id }) => shown.find((offer) => offer.id === id) ?? [])
}

/** Applies the user's order to the current offers: new ones at the end, removed ones left out. */
export function reconciled(order: readonly string[], shown: readonly OfferRecord[]): OfferRecord[] {
  const known = order.flatMap((id) => shown.find((offer) => offer.id === id) ?? [])
  return [...known, ...shown.filter(({ id }) => !order.includes(id))]
}

/** @param to the new index; beyond the ends nothing moves */
export function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const item = all[from]
  if (item === undefined || to < 0 || to >= all.length) return [...all]
  const others = all.filter((_, index) => index !== from)
  return [...others.slice(0, to), item, ...others.slice(to)]
}
