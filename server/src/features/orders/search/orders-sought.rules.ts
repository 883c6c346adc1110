import type { OrdersSought } from '@bancone/contract/order-search'
import type { OrderStatus, StatusCounts } from '@bancone/contract/orders'
import { type Days, daysOf } from './order-days.rules.ts'

/** Which orders, as the database looks for them. */
export type Sought = {
  /** Words that are all in them; null for any order. */
  words: string | null
  /** Undefined: of any state, also one that is none of the five. */
  statuses: readonly OrderStatus[] | undefined
  days: Days
}

export function soughtOf(asked: OrdersSought, now: number): Sought {
  const { q, stato } = asked
  return {
    words: q === undefined ? null : joinNumbers(q),
    statuses: stato,
    days: daysOf(asked, now),
  }
}

/** Groups of digits, as telephone numbers are typed: with spaces, dots, dashes, slashes or brackets between. */
const groups = /(?:\+|\b)\d[\d ./()-]*\d\b/g
const date = /^\d{1,2}([./-])\d{1,2}\1\d{2,4}$/

/**
 * A telephone number is one word however it was typed, without +39 or 00, as it is in what is searched. What
 * has fewer digits than a number, or more, and nothing else that makes it one, stays as it is.
 */
export function joinNumbers(words: string): string {
  return words.normalize('NFKC').replace(groups, (typed) => national(typed) ?? typed)
}

/** Null for what is no telephone number. */
function national(typed: string): string | null {
  const isAbroad = typed.startsWith('+') || typed.startsWith('00')
  const digits = typed.replace(/\D/g, '').replace(/^00/, '')
  const number = isAbroad || digits.length > 10 ? digits.replace(/^39/, '') : digits
  if (isAbroad) return number === '' ? null : number
  return /^[03]\d{7,9}$/.test(number) && !date.test(typed) ? number : null
}

/** Whether the kept counts tell how many there are. */
export function isCounted({ words, days }: Sought): boolean {
  return words === null && days.from === null && days.to === null
}

/** How many orders there are of each status, by its word. */
export type ByStatus = ReadonlyMap<string, number>

/** Of these states; of any, also one that is none of the five, for undefined. */
export function countOfStatuses(counts: ByStatus, statuses: Sought['statuses']): number {
  if (statuses) return statuses.reduce((sum, status) => sum + (counts.get(status) ?? 0), 0)
  return [...counts.values()].reduce((sum, orders) => sum + orders, 0)
}

export function countsOf(counts: ByStatus): StatusCounts {
  const of = (status: OrderStatus) => counts.get(status) ?? 0
  return {
    'In attesa': of('In attesa'),
    Confermato: of('Confermato'),
    'Prenotato in Giornata': of('Prenotato in Giornata'),
    'Prenotato Domani': of('Prenotato Domani'),
    Annullato: of('Annullato'),
  }
}
