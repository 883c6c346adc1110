import { type AnalyticsQuery, Comparison, FIRST_DAY } from '@bancone/contract/analytics'
import { addDays, Day, dayOf, formatShortDay } from '@bancone/contract/dates'
import { useMemo } from 'react'
import { z } from 'zod/mini'
import { type ChangeFilter, searchParamsFormat, useUrlFilter } from '../../lib/url-filter.ts'
import { useNow } from '../../lib/use-now.ts'

export const PeriodName = z.enum([
  'oggi',
  'ultimi-7-giorni',
  'ultimi-30-giorni',
  'questo-mese',
  'mese-scorso',
  'personalizzato',
])
export type PeriodName = z.infer<typeof PeriodName>

export const AnalyticsTab = z.enum(['panoramica', 'traffico', 'ordini'])
export type AnalyticsTab = z.infer<typeof AnalyticsTab>

const address = searchParamsFormat(
  z.object({
    periodo: z.catch(PeriodName, 'ultimi-7-giorni'),
    /** The bounds of the custom period. */
    dal: z.catch(z.nullable(Day), null),
    al: z.catch(z.nullable(Day), null),
    confronto: z.catch(Comparison, 'precedente'),
    scheda: z.catch(AnalyticsTab, 'panoramica'),
  }),
)
export type AnalyticsAddress = ReturnType<typeof address.parse>

/** Both days are included. */
export type Days = { dal: Day; al: Day }

/** A period with what it is compared with, as the endpoints take it. */
export type PeriodQuery = z.output<typeof AnalyticsQuery>

/** What is wrong with the bounds of a custom period, by the field; empty when nothing is. */
export function boundErrors(
  { dal, al }: { dal: string | null; al: string | null },
  today: Day,
): { dal?: string; al?: string } {
  const outside = (day: string | null, missing: string) => {
    if (!Day.safeParse(day).success || day === null) return missing
    if (day < FIRST_DAY) return `Non prima del ${formatShortDay(FIRST_DAY)}.`
    return day > today ? 'Non dopo oggi.' : undefined
  }
  const first = outside(dal, 'Scegli il primo giorno.')
  const last = outside(al, "Scegli l'ultimo giorno.")
  const isReversed = !first && !last && dal !== null && al !== null && dal > al
  return {
    ...(first && { dal: first }),
    ...(last && { al: last }),
    ...(isReversed && { al: '«Al» viene prima di «Dal».' }),
  }
}

/** The first day of the month of a day. */
function firstOfMonth(day: Day): Day {
  return `${day.slice(0, 8)}01`
}

/** The days of a period; null for a custom one whose bounds are missing or wrong. */
export function daysOf(
  { periodo, dal, al }: Pick<AnalyticsAddress, 'periodo' | 'dal' | 'al'>,
  today: Day,
): Days | null {
  const lastOfBefore = addDays(firstOfMonth(today), -1)
  switch (periodo) {
    case 'oggi':
      return { dal: today, al: today }
    case 'ultimi-7-giorni':
      return { dal: addDays(today, -6), al: today }
    case 'ultimi-30-giorni':
      return { dal: addDays(today, -29), al: today }
    case 'questo-mese':
      return { dal: firstOfMonth(today), al: today }
    case 'mese-scorso':
      return { dal: firstOfMonth(lastOfBefore), al: lastOfBefore }
    case 'personalizzato': {
      const isValid = Object.keys(boundErrors({ dal, al }, today)).length === 0
      return isValid && dal !== null && al !== null ? { dal, al } : null
    }
  }
}

export type AnalyticsPeriod = {
  address: AnalyticsAddress
  change: ChangeFilter<AnalyticsAddress>
  /** The search of a link to a page about the same period. */
  search: string
  today: Day
  /** With wrong bounds in the URL, that of the default period. */
  query: PeriodQuery
}

/** The same object for the same period. */
function usePeriodQuery(dal: Day, al: Day, confronto: Comparison): PeriodQuery {
  return useMemo(() => ({ dal, al, confronto }), [dal, al, confronto])
}

/** The period in the URL, and a function to change it. */
export function useAnalyticsPeriod(): AnalyticsPeriod {
  const [filter, change] = useUrlFilter(address)
  const today = dayOf(useNow())
  const { periodo, confronto } = filter
  const days = daysOf(filter, today) ?? { dal: addDays(today, -6), al: today }
  const query = usePeriodQuery(days.dal, days.al, confronto)
  const bounds = periodo === 'personalizzato' ? days : {}
  const { search } = address.format({ periodo, ...bounds, confronto })
  return { address: filter, change, search, today, query }
}
