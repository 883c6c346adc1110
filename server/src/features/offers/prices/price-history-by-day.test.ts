import { addDays, type Day } from '@bancone/contract/dates'
import { expect, it } from 'vitest'
import { type PriceTerms, priorPrice, type Reduction } from './price-history.rules.ts'

const FIRST = '2026-01-01'
const today = addDays(FIRST, 100)

/** The same numbers each time, as if by chance. */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

type Pick = ReturnType<typeof chance>

function somePrices(pick: Pick) {
  const listPrice = 800 + 100 * pick(4)
  return { listPrice, offerPrice: listPrice - 100 * pick(4) }
}

/** What an offer said, change after change, several on some days. */
function someTerms(pick: Pick, offerId: string): PriceTerms[] {
  const terms: PriceTerms[] = []
  let hour = pick(100) * 24
  for (let left = pick(9); left >= 0; left -= 1) {
    const until = hour + 1 + pick(pick(2) === 0 ? 20 : 500)
    const isLast = until > 100 * 24 || (left === 0 && pick(3) > 0)
    const start = pick(4) === 0 ? pick(120) : 0
    terms.push({
      offerId,
      ...somePrices(pick),
      isActive: pick(4) > 0,
      startDate: addDays(FIRST, start),
      endDate: pick(3) === 0 ? addDays(FIRST, start + pick(100)) : null,
      fromDay: dayOfHour(hour),
      toDay: isLast ? null : dayOfHour(until),
      endedAt: isLast ? null : timeOfHour(until),
    })
    if (isLast) break
    hour = until
  }
  return terms
}

const timeOfHour = (hour: number) => new Date(Date.parse(FIRST) + hour * 60 * 60_000).toISOString()
const dayOfHour = (hour: number) => timeOfHour(hour).slice(0, 10)

/** The same as the rule, said day by day. */
function dayByDay(terms: PriceTerms[], reduction: Reduction) {
  const isOwn = (each: PriceTerms) => each.offerId === reduction.offerId
  const end = (each: PriceTerms) => each.toDay ?? (isOwn(each) ? today : '9999-12-31')
  const on = (day: Day) => terms.filter((each) => each.fromDay <= day && day <= end(each))
  const isOver = (each: PriceTerms, day: Day) => each.endDate !== null && each.endDate < day
  const reducedOn = (day: Day) =>
    on(day).filter(
      (each) =>
        each.isActive &&
        each.offerPrice < each.listPrice &&
        each.startDate <= day &&
        !isOver(each, day),
    )
  const listedOn = (day: Day) => on(day).filter((each) => isOwn(each) || !isOver(each, day))
  /** Those that stood when the day ended, or else those that ended last. */
  const lastOf = (all: PriceTerms[], day: Day) => {
    const ends = (each: PriceTerms) =>
      each.toDay === day && each.endedAt !== null ? each.endedAt : 'stood'
    const latest = all.map(ends).sort().at(-1)
    return all.filter((each) => ends(each) === latest)
  }
  const lowest = (prices: number[]) => (prices.length > 0 ? Math.min(...prices) : undefined)
  const lastReduced = (day: Day) =>
    lowest(lastOf(reducedOn(day), day).map(({ offerPrice }) => offerPrice))

  const first = reduction.startDate > today ? reduction.startDate : today
  let begun = first
  let price = reduction.offerPrice
  const lowerOn = (day: Day) =>
    reducedOn(day)
      .map(({ offerPrice }) => offerPrice)
      .filter((cents) => cents < price)
  while (lowerOn(begun).length === 0) {
    const last = lastReduced(addDays(begun, -1))
    if (last === undefined || last < price) break
    begun = addDays(begun, -1)
    price = last
  }
  const known = lowerOn(begun)
  let onSale = 0
  for (let day = addDays(begun, -30); day < begun; day = addDays(day, 1)) {
    const taken = [
      ...reducedOn(day).map(({ offerPrice }) => offerPrice),
      ...listedOn(day)
        .filter((each) => each.fromDay !== (each.toDay ?? end(each)))
        .map(({ listPrice }) => listPrice),
      ...(day >= today ? [reduction.listPrice] : []),
    ]
    known.push(...taken)
    if (taken.length > 0 || listedOn(day).length > 0) onSale += 1
  }
  const cents = lowest(known)
  return cents !== undefined && onSale === 30 ? { cents, declared: false } : null
}

it('is the same day by day, whatever was written', () => {
  const pick = chance(11)
  const seen = { known: 0, unknown: 0, late: 0 }
  for (let round = 0; round < 1_000; round += 1) {
    const terms = ['own', 'other', 'third']
      .slice(0, 1 + pick(3))
      .flatMap((id) => someTerms(pick, id))
    const listPrice = 900 + 100 * pick(3)
    const reduction = {
      offerId: pick(4) === 0 ? null : 'own',
      listPrice,
      offerPrice: listPrice - 100 - 100 * pick(3),
      declared: null,
      startDate: addDays(FIRST, pick(4) === 0 ? 101 + pick(40) : pick(100)),
    }
    const prior = priorPrice(terms, reduction, today)
    expect(prior, JSON.stringify({ terms, reduction }, null, 1)).toEqual(dayByDay(terms, reduction))
    if (prior) seen.known += 1
    else seen.unknown += 1
    if (reduction.startDate > today) seen.late += 1
  }
  // All of it was looked at often enough.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(50)
})
