import { getAnalytics, getOrderAnalytics, getPresentVisits } from '@bancone/contract/analytics'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointKey, endpointQueryOptions, useEndpoint } from '../../lib/endpoint-query.ts'
import type { PeriodQuery } from './analytics-address.ts'
import { useOfPeriod } from './use-of-period.ts'

const PRESENT_MS = 10_000

/** The figures of the period. */
export function useAnalytics(period: PeriodQuery) {
  return useOfPeriod((query) => endpointQueryOptions(getAnalytics, { query }), period)
}

/** The visits of the period by hour, source, device and offer. */
export function useTraffic(period: PeriodQuery) {
  return useOfPeriod((query) => endpointQueryOptions(getTraffic, { query }), period)
}

/** The waits and arrivals of the period. */
export function useOrderAnalytics(period: PeriodQuery) {
  return useOfPeriod((query) => endpointQueryOptions(getOrderAnalytics, { query }), period)
}

/** The visitors of the last minutes, read every ten seconds while the page is visible. */
export function usePresentVisits() {
  return useEndpoint(getPresentVisits, {}, { refetchInterval: PRESENT_MS })
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
      [getTraffic, getOrderAnalytics, getPresentVisits].map((endpoint) =>
        client.invalidateQueries({ queryKey: endpointKey(endpoint) }),
      ),
    )
  }
}
