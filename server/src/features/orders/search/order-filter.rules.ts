import { addDays, dayOf, MINUTE_MS } from '@bancone/contract/dates'
import type { OrdersSearchFilter } from '@bancone/contract/order-search'
import {
  LATE_AFTER_MS,
  type OrderStatus,
  type OrdersFilter,
  type Period,
  type StatusCounts,
} from '@bancone/contract/orders'
import { searchedNumber } from '@bancone/contract/searched-number'

/** A filter with its period resolved to days and its search text normalized. */
export type ResolvedFilter = {
  /** The search text; null without a search. */
  words: string | null
  /** The order number that the search text is; null when it is none. */
  number: string | null
  /** Undefined: any status, including unknown ones. */
  statuses: readonly OrderStatus[] | undefined
  days: Days
  /** Only late orders: those created before this time. Null: all. */
  lateBefore: string | null
  /** Only orders that are ready and not collected. */
  isToCollect: boolean
  /** Only those that are overdue on this day. */
  overdueOn: string | null
}

/** The time before which an order in the status 'In attesa' is late, to the minute: pages are cached under it. */
export function lateBefore(now: number): string {
  return new Date(Math.floor(now / MINUTE_MS) * MINUTE_MS - LATE_AFTER_MS).toISOString()
}

export function resolveFilter(asked: OrdersSearchFilter, now: number): ResolvedFilter {
  const { q, stato, ritardo, ritiro } = asked
  const number = q === undefined ? undefined : searchedNumber(q)
  return {
    words: q === undefined ? null : joinNumbers(number ?? q),
    number: number?.normalize('NFKC') ?? null,
    statuses: ritardo ? ['In attesa'] : ritiro ? undefined : stato,
    days: daysOf(asked, now),
    lateBefore: ritardo ? lateBefore(now) : null,
    isToCollect: ritiro !== undefined && ritardo === undefined,
    overdueOn: ritiro === 'scaduti' && ritardo === undefined ? dayOf(now) : null,
  }
}

/** Groups of digits as in typed phone numbers: with spaces, dots, dashes, slashes or brackets between them. */
const groups = /(?:\+|\b)\d[\d ./()-]*\d\b/g
const date = /^\d{1,2}([./-])\d{1,2}\1\d{2,4}$/

/**
 * Joins a phone number to one word, without +39 or 00, as in the search index. Numbers with another length, and
 * without a sign of being a phone number, stay as they are.
 */
export function joinNumbers(words: string): string {
  return words.normalize('NFKC').replace(groups, (typed) => national(typed) ?? typed)
}

/** Null when it is not a phone number. */
function national(typed: string): string | null {
  const isAbroad = typed.startsWith('+') || typed.startsWith('00')
  const digits = typed.replace(/\D/g, '').replace(/^00/, '')
  const number = isAbroad || digits.length > 10 ? digits.replace(/^39/, '') : digits
  if (isAbroad) return number === '' ? null : number
  return /^[03]\d{7,9}$/.test(number) && !date.test(typed) ? number : null
}

/** Whether the maintained counts tell the number of orders by status. */
export function isCounted({ words, days }: ResolvedFilter): boolean {
  return words === null && days.from === null && days.to === null
}

/** Number of orders by status text, of the late ones, of those to be collected, and of the overdue ones of them. */
export type FilterCounts = {
  byStatus: ReadonlyMap<string, number>
  late: number
  toCollect: number
  overdue: number
}

/** The number of late orders, of those to be collected, or the sum for the given statuses; undefined: for all, including unknown ones. */
export function countOfFilter(
  { byStatus, late, toCollect, overdue }: FilterCounts,
  filter: Pick<ResolvedFilter, 'statuses' | 'lateBefore' | 'isToCollect' | 'overdueOn'>,
): number {
  if (filter.lateBefore !== null) return late
  if (filter.overdueOn !== null) return overdue
  if (filter.isToCollect) return toCollect
  const statuses = filter.statuses ?? [...byStatus.keys()]
  return statuses.reduce((sum, status) => sum + (byStatus.get(status) ?? 0), 0)
}

export function countsOf({ byStatus }: FilterCounts): StatusCounts {
  const of = (status: OrderStatus) => byStatus.get(status) ?? 0
  return {
    'In attesa': of('In attesa'),
    Confermato: of('Confermato'),
    'Prenotato in Giornata': of('Prenotato in Giornata'),
    'Prenotato Domani': of('Prenotato Domani'),
    Annullato: of('Annullato'),
  }
}

/** Calendar days in Rome (`2026-03-29`), both inclusive; null is open. */
export type Days = { from: string | null; to: string | null }

/** PostgreSQL has no year 0. */
const FIRST_DAY = '0001-01-01'

/** The given days, or those of the period. */
export function daysOf({ periodo, dal, al }: OrdersFilter, now: number): Days {
  if (dal !== undefined || al !== undefined) return { from: day(dal), to: day(al) }
  if (periodo === undefined) return { from: null, to: null }
  return daysOfPeriod(periodo, dayOf(now))
}

function day(given: string | undefined): string | null {
  if (given === undefined) return null
  return given < FIRST_DAY ? FIRST_DAY : given
}

function daysOfPeriod(period: Period, today: string): Days {
  const month = today.slice(0, 7)
  switch (period) {
    case 'oggi':
      return { from: today, to: today }
    case 'ieri':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'ultimi-7-giorni':
      return { from: addDays(today, -6), to: today }
    case 'ultimi-30-giorni':
      return { from: addDays(today, -29), to: today }
    case 'questo-mese':
      return { from: `${month}-01`, to: today }
    case 'mese-scorso': {
      const last = addDays(`${month}-01`, -1)
      return { from: `${last.slice(0, 7)}-01`, to: last }
    }
  }
}
