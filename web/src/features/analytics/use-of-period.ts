import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PeriodQuery } from './period/analytics-address.ts'

export const REFRESH_MS = 5 * 60_000
/** Figures read within this time are not read again when the page is looked at again. */
const STALE_MS = 60_000

/** Figures with the period that they are of. */
export type OfPeriod<T> = { data: T; period: PeriodQuery }

/**
 * The figures of a period, read again every five minutes while the page is visible. Until they are loaded, or while
 * they fail, `shown` has those of the last loaded period.
 *
 * @param optionsOf the query of a period
 */
export function useOfPeriod<T>(
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
  const shown: OfPeriod<T> | null =
    result.data === undefined
      ? last.data === undefined
        ? null
        : { data: last.data, period: lastPeriod }
      : { data: result.data, period }
  const client = useQueryClient()
  const { error, isFetching, refetch } = result
  return {
    shown,
    error,
    isFetching,
    /** What is shown is of another period than the chosen one. */
    isOther: shown !== null && shown.period !== period,
    /** Reads it again, and what else of the page could not be read. */
    refetch: () => {
      void refetch()
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.error !== null })
    },
  }
}
