import { addDays, dayOf } from '@bancone/contract/dates'
import type { OrdersFilter, Period } from '@bancone/contract/orders'

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
