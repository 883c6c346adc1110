import { addDays, type Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'

/** Prescribed by law. */
const WINDOW_DAYS = 30

/**
 * Terms of an offer while they were in force: from the first to the last day, both possibly in part. `toDay` and
 * `endedAt` (a comparable timestamp text) are null while they are in force.
 */
export type PriceTerms = {
  offerId: string
  listPrice: number
  offerPrice: number
  startDate: Day
  endDate: Day | null
  isActive: boolean
  fromDay: Day
  toDay: Day | null
  endedAt: string | null
}

/** The reduction to compute the prior price of, as stored or as drafted. */
export type Reduction = {
  /** Null when it is not stored yet. */
  offerId: string | null
  listPrice: number
  offerPrice: number
  /** The prior price that the pharmacy declares. */
  declared: number | null
  startDate: Day
}

/** End of a price that was in force until the end of its last day: sorts after all timestamps. */
const STOOD = '~'

/** From the first to the last day. */
type Period = { from: Day; to: Day }

/** A price that was in force on each of these days, at least in part. */
type Span = Period & { cents: number; endedAt: string }

/**
 * The lowest price in the 30 days before a reduction began: the current reduction or, for an offer that is not
 * published, the one that would begin if it were. A price that was in force for an hour counts for its day, also for the day
 * on which a reduction begins because that price was raised.
 *
 * @returns null when the price is not below the list price, and when the price of any of the 30 days is unknown and none
 * is declared: nothing may be announced as a reduction then
 */
export function priorPrice(
  terms: readonly PriceTerms[],
  reduction: Reduction,
  today: Day,
): PriorPrice | null {
  const { offerId, offerPrice, listPrice, declared } = reduction
  if (offerPrice >= listPrice) return null
  const day = later(today, reduction.startDate)
  const known = asOf(today, terms, offerId)
  const reduced = known.flatMap((each) => reducedSpans(each, day))
  const { begun, price } = beginOfReduction(reduced, day, offerPrice)
  const window = { from: addDays(begun, -WINDOW_DAYS), to: addDays(begun, -1) }

  // A list price that was corrected on its first day is a typing error, and does not count: no day ended with it.
  const unreduced = known
    .filter(({ fromDay, toDay }) => fromDay !== toDay)
    .flatMap((each) => listSpans(each, offerId, day))
  // Until a future reduction begins, the list price stays as it is now.
  const coming = { from: today, to: day, cents: listPrice }
  const taken = [
    ...[...reduced, ...unreduced, coming].flatMap((span) => within(span, window)),
    ...lowerOn(begun, price, reduced),
  ]
  const lowest = taken.map((span) => span.cents)
  const onSale = [...taken, ...known.flatMap((each) => listSpans(each, offerId, day))]
  if (lowest.length > 0 && isCovered(window, onSale)) {
    return { cents: Math.min(...lowest), declared: false }
  }
  return declared === null ? null : { cents: Math.min(...lowest, declared), declared: true }
}

/** The terms as if the reduction were written today, which ends the offer's current terms. */
function asOf(today: Day, terms: readonly PriceTerms[], offerId: string | null): PriceTerms[] {
  return terms.map((each) =>
    each.offerId === offerId && each.toDay === null
      ? { ...each, toDay: later(today, each.fromDay) }
      : each,
  )
}

/** The days on which these terms were a published reduction. */
function reducedSpans(terms: PriceTerms, day: Day): Span[] {
  const { listPrice, offerPrice, startDate, endDate, isActive, fromDay } = terms
  if (!isActive || offerPrice >= listPrice) return []
  return spans(terms, {
    from: later(fromDay, startDate),
    to: earlier(day, endDate ?? day),
    cents: offerPrice,
  })
}

/** The days of the terms' list price: another offer's list price is the product's price until that offer ends. */
function listSpans(terms: PriceTerms, offerId: string | null, day: Day): Span[] {
  const to = terms.offerId === offerId ? day : earlier(day, terms.endDate ?? day)
  return spans(terms, { from: terms.fromDay, to, cents: terms.listPrice })
}

/** Empty when the terms were not in force on these days. */
function spans({ toDay, endedAt }: PriceTerms, { from, ...most }: Omit<Span, 'endedAt'>): Span[] {
  const to = earlier(most.to, toDay ?? most.to)
  if (from > to) return []
  return [{ ...most, from, to, endedAt: (to === toDay ? endedAt : null) ?? STOOD }]
}

/**
 * The first day of the reduction that has this price on that day, and its price then: goes back day by day while a
 * reduction was in force and its price was not lower than later. A further reduction continues the same one, a raised price
 * begins another, also on the same day (art. 17-bis, 5).
 */
function beginOfReduction(
  reduced: readonly Span[],
  day: Day,
  cents: number,
): { begun: Day; price: number } {
  // Between two of these days nothing changes. The last day of a span is separate: the price may have ended during
  // it.
  const changes = reduced.flatMap(({ from, to }) =>
    to < day ? [from, to, addDays(to, 1)] : [from],
  )
  let begun = day
  let price = cents
  for (const change of changes.sort().reverse()) {
    if (change >= begun) continue
    if (lowerOn(begun, price, reduced).length > 0) break
    const last = lastOn(addDays(begun, -1), reduced)
    if (last === undefined || last < price) break
    begun = change
    price = last
  }
  return { begun, price }
}

/** The prices of a day that were lower than this one. */
function lowerOn(day: Day, cents: number, prices: readonly Span[]): Span[] {
  return prices.filter((span) => span.from <= day && day <= span.to && span.cents < cents)
}

/** The last price of a day; the lowest where there were several. */
function lastOn(day: Day, prices: readonly Span[]): number | undefined {
  const onDay = prices
    .filter(({ from, to }) => from <= day && day <= to)
    .map(({ to, cents, endedAt }) => ({ cents, until: day < to ? STOOD : endedAt }))
  const latest = onDay.map(({ until }) => until).reduce(later, '')
  const last = onDay.filter(({ until }) => until === latest).map(({ cents }) => cents)
  return last.length > 0 ? Math.min(...last) : undefined
}

function within<T extends Period>(span: T, window: Period): T[] {
  const from = later(span.from, window.from)
  const to = earlier(span.to, window.to)
  return from > to ? [] : [{ ...span, from, to }]
}

/** Whether the periods leave out no day of the window. */
function isCovered(window: Period, periods: readonly Period[]): boolean {
  let uncovered = window.from
  for (const { from, to } of periods.toSorted((one, other) => (one.from < other.from ? -1 : 1))) {
    if (from > uncovered) return false
    uncovered = later(uncovered, addDays(to, 1))
  }
  return uncovered > window.to
}

/** The later of two days, or of two timestamps in the same format. */
function later(one: string, other: string): string {
  return one > other ? one : other
}

function earlier(one: string, other: string): string {
  return one < other ? one : other
}

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
  const before = (own ?? terms.reduce<PriceTerms | undefined>(laterTerms, undefined))?.listPrice
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
function laterTerms(one: PriceTerms | undefined, other: PriceTerms): PriceTerms {
  return one !== undefined && place(one) >= place(other) ? one : other
}

function place({ endedAt, fromDay }: PriceTerms): string {
  return endedAt ?? `~${fromDay}`
}
