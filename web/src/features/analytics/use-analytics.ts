import {
  type AnalyticsPeriod,
  getAnalytics,
  getOrderAnalytics,
  getPresentVisitors,
} from '@bancone/contract/analytics'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, endpointQueryOptions, useEndpoint } from '../../lib/endpoint-query.ts'
import type { PeriodQuery } from './analytics-address.ts'

const PRESENT_MS = 10_000

/** The figures of the period. */
export function useAnalytics(period: PeriodQuery) {
  return useOfPeriod((query) => endpointQueryOptions(getAnalytics, { query }), period)
}

/** The page views of the period by hour, source, device and offer. */
export function useTraffic(period: PeriodQuery) {
  return useOfPeriod((query) => endpointQueryOptions(getTraffic, { query }), period)
}

/** The waits and arrivals of the period. */
export function useOrderAnalytics(period: PeriodQuery) {
  return useOfPeriod((query) => endpointQueryOptions(getOrderAnalytics, { query }), period)
}

/** The visitors of the last minutes, read every ten seconds while the page is visible. */
export function usePresentVisitors() {
  return useEndpoint(getPresentVisitors, {}, { refetchInterval: PRESENT_MS })
}

/**
 * Reads the figures with what has happened until now, which otherwise are up to a minute old. A failure is that of the
 * query of the figures, and ends when any reading of them succeeds.
 */
export function useRefresh(period: PeriodQuery) {
  const client = useQueryClient()
  return async () => {
    const query = { ...period, aggiorna: 'true' as const }
    await client
      .fetchQuery({
        queryKey: endpointKey(getAnalytics, { query: period }),
        queryFn: ({ signal }) => call(getAnalytics, { query }, { signal }),
      })
      .catch(() => undefined)
    await Promise.all(
      [getTraffic, getOrderAnalytics, getPresentVisitors].map((endpoint) =>
        client.invalidateQueries({ queryKey: endpointKey(endpoint) }),
      ),
    )
  }
}

const REFRESH_MS = 5 * 60_000
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
function useOfPeriod<T extends Answer>(
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

/** What `useAnalytics` and the like return. */
export type FiguresOf<T extends Answer> = ReturnType<typeof useOfPeriod<T>>
