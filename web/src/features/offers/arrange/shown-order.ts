import type { Day } from '@bancone/contract/dates'
import type { OfferRecord } from '@bancone/contract/offers'
import { type PublicOffer, PublicOffersSearch, soughtOffers } from '@bancone/contract/public-offers'
import { stateOf } from '../offer-lists.ts'

/** As the public page knows it, as far as that counts for its place there. */
function publicOffer({ id, createdTime, fields, prior }: OfferRecord): PublicOffer {
  return { id, createdTime, fields, prior, medicine: false, imageSize: null }
}

/** Those with a place in their order, then the others as they come. */
function byPosition(one: OfferRecord, other: OfferRecord): number {
  return (
    (one.position ?? Number.POSITIVE_INFINITY) - (other.position ?? Number.POSITIVE_INFINITY) || 0
  )
}

export function isArranged(offers: readonly OfferRecord[]): boolean {
  return offers.some(({ position }) => position !== null)
}

/**
 * The offers that are shown, or will be, in the order in which customers see them today.
 *
 * @param offers newest first
 */
export function shownOrder(offers: readonly OfferRecord[], today: Day): OfferRecord[] {
  const shown = offers.filter((offer) => ['active', 'scheduled'].includes(stateOf(offer, today)))
  if (isArranged(offers)) return shown.sort(byPosition)
  const sought = soughtOffers(
    { offers: shown.map(publicOffer), arranged: false },
    PublicOffersSearch.parse({}),
  )
  return sought.flatMap(({ id }) => shown.find((offer) => offer.id === id) ?? [])
}

/** The order that somebody has made, with those that have come since at its end and without those that have gone. */
export function reconciled(order: readonly string[], shown: readonly OfferRecord[]): OfferRecord[] {
  const known = order.flatMap((id) => shown.find((offer) => offer.id === id) ?? [])
  return [...known, ...shown.filter(({ id }) => !order.includes(id))]
}

/** @param to where it shall stand; beyond the ends nothing moves */
export function moved<T>(all: readonly T[], from: number, to: number): T[] {
  const item = all[from]
  if (item === undefined || to < 0 || to >= all.length) return [...all]
  const others = all.filter((_, index) => index !== from)
  return [...others.slice(0, to), item, ...others.slice(to)]
}
