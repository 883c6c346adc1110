import { addDays, type Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'

/** The law's. */
const WINDOW_DAYS = 30

/**
 * What an offer said while it did: on the days from the first to the last, in part of both of them. `toDay` and
 * `endedAt`, a time as text that can be compared, are null while it still does.
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

/** The reduction that is asked about, as it stands or as it would be written. */
export type Reduction = {
  /** Null where it was never written. */
  offerId: string | null
  listPrice: number
  offerPrice: number
  /** What the pharmacy says was the lowest price before. */
  declared: number | null
  startDate: Day
}

/** Of a price that was not taken back in the course of its last day: after all times. */
const STOOD = '~'

/** A price that was taken on all of these days, at least in part of each. */
type Span = { from: Day; to: Day; cents: number; endedAt: string }

/**
 * The lowest price in the 30 days before a reduction began: the one that is shown today, or, where the offer is not
 * shown, the one that would begin if it were switched on. A price that was taken for an hour counts for its day.
 *
 * @returns null where it is no reduction of its own list price
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
  const begun = beginOfReduction(reduced, day, offerPrice)
  const window = { from: addDays(begun, -WINDOW_DAYS), to: addDays(begun, -1) }

  // A list price that was corrected on the day on which it was written is a slip of the pen: no day ended with it.
  const unreduced = known
    .filter(({ fromDay, toDay }) => fromDay !== toDay)
    .flatMap((each) => listSpans(each, offerId, day))
  // Until a reduction begins that is still to come the list price is what it is now.
  const coming = { from: today, to: day, cents: listPrice }
  const taken = [...reduced, ...unreduced, coming].flatMap((span) => within(span, window))
  if (taken.length === 0) {
    const lists = known.flatMap((each) => listSpans(each, offerId, day))
    const before = begun < today ? lastOn(begun, lists) : listPrice
    return { cents: declared ?? before ?? listPrice, since: null, declared: true }
  }
  const since = taken.map(({ from }) => from).reduce(earlier)
  const lowest = Math.min(...taken.map((span) => span.cents))
  if (since === window.from) return { cents: lowest, since: null, declared: false }
  if (declared === null) return { cents: lowest, since, declared: false }
  // What the pharmacy says is of all of the 30 days.
  return { cents: Math.min(lowest, declared), since: null, declared: false }
}

/** The terms as they are when the reduction is written today, which ends those that its offer has now. */
function asOf(today: Day, terms: readonly PriceTerms[], offerId: string | null): PriceTerms[] {
  return terms.map((each) =>
    each.offerId === offerId && each.toDay === null
      ? { ...each, toDay: later(today, each.fromDay) }
      : each,
  )
}

/** The days on which these terms were a reduction that was shown. */
function reducedSpans(terms: PriceTerms, day: Day): Span[] {
  const { listPrice, offerPrice, startDate, endDate, isActive, fromDay } = terms
  if (!isActive || offerPrice >= listPrice) return []
  return spans(terms, {
    from: later(fromDay, startDate),
    to: earlier(day, endDate ?? day),
    cents: offerPrice,
  })
}

/** The days of their list price: that of another offer is what the product costs until that one ends. */
function listSpans(terms: PriceTerms, offerId: string | null, day: Day): Span[] {
  const to = terms.offerId === offerId ? day : earlier(day, terms.endDate ?? day)
  return spans(terms, { from: terms.fromDay, to, cents: terms.listPrice })
}

/** None, when the terms were not in force on these days. */
function spans({ toDay, endedAt }: PriceTerms, { from, ...most }: Omit<Span, 'endedAt'>): Span[] {
  const to = earlier(most.to, toDay ?? most.to)
  if (from > to) return []
  return [{ ...most, from, to, endedAt: (to === toDay ? endedAt : null) ?? STOOD }]
}

/**
 * The first day of the reduction that has this price on that day: from day to day back, as long as there was one, and
 * it was not lower than on the day after. A price that is reduced further belongs to the same reduction, one that is
 * raised begins another (art. 17-bis, 5).
 */
function beginOfReduction(reduced: readonly Span[], day: Day, cents: number): Day {
  // Between two of these days nothing changes. The last of a span is a day of its own: it may have ended in its course.
  const changes = reduced.flatMap(({ from, to }) =>
    to < day ? [from, to, addDays(to, 1)] : [from],
  )
  let begun = day
  let price = cents
  for (const change of changes.sort().reverse()) {
    if (change >= begun) continue
    const last = lastOn(addDays(begun, -1), reduced)
    if (last === undefined || last < price) break
    begun = change
    price = last
  }
  return begun
}

/** The price that was the last of a day; the lowest, where several were. */
function lastOn(day: Day, prices: readonly Span[]): number | undefined {
  const onDay = prices
    .filter(({ from, to }) => from <= day && day <= to)
    .map(({ to, cents, endedAt }) => ({ cents, until: day < to ? STOOD : endedAt }))
  const latest = onDay.map(({ until }) => until).reduce(later, '')
  const last = onDay.filter(({ until }) => until === latest).map(({ cents }) => cents)
  return last.length > 0 ? Math.min(...last) : undefined
}

function within<T extends { from: Day; to: Day }>(span: T, window: { from: Day; to: Day }): T[] {
  const from = later(span.from, window.from)
  const to = earlier(span.to, window.to)
  return from > to ? [] : [{ ...span, from, to }]
}

/** Of days, and of times as text of the same form. */
function later(one: string, other: string): string {
  return one > other ? one : other
}

function earlier(one: string, other: string): string {
  return one < other ? one : other
}
