import type { AnalyticsPeriod } from '@bancone/contract/analytics'
import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PeriodQuery } from './analytics-address.ts'

export const REFRESH_MS = 5 * 60_000
/** Figures read within this time are not read again when the page is looked at again. */
const STALE_MS = 60_000

type Answer = { period: AnalyticsPeriod }

/** Figures with the period that they were computed for. */
export type OfPeriod<T extends Answer> = { data: T; period: T['period'] }

/**
 * The figures of a period, read again every five minutes while the page is visible. Until they are loaded, or while
 * they fail, `shown` has those of the last loaded period.
 *
 * @param optionsOf the query of a period
 */
export function useOfPeriod<T extends Answer>(
  optionsOf: (period: PeriodQuery) => UseQueryOptions<T>,
  period: PeriodQuery,
) {
  const result = useQuery({
    ...optionsOf(period),
    staleTime: STALE_MS,
    gcTime: REFRESH_MS,
    refetchInterval: REFRESH_MS,
  })
  // Read from the cache, not kept as a copy, so that changed notes appear in it.
  const [lastPeriod, setLastPeriod] = useState(period)
  if (result.data !== undefined && lastPeriod !== period) setLastPeriod(period)
  const last = useQuery({ ...optionsOf(lastPeriod), enabled: false, gcTime: REFRESH_MS })
  const data = result.data ?? last.data
  const shown: OfPeriod<T> | null = data === undefined ? null : { data, period: data.period }
  const client = useQueryClient()
  const { error, isFetching, refetch } = result
  return {
    shown,
    error,
    isFetching,
    /** What is shown is of another period than the chosen one. */
    isOther: shown !== null && result.data === undefined,
    /** Reads it again, and what else of the page could not be read. */
    refetch: () => {
      void refetch()
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
    },
  }
}
