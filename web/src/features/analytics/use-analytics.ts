import { getAnalytics, getOrderAnalytics, getPresentVisits } from '@bancone/contract/analytics'
import { getTraffic } from '@bancone/contract/analytics-traffic'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'
import { endpointKey, endpointQueryOptions, useEndpoint } from '../../lib/endpoint-query.ts'
import { useAction } from '../../lib/use-action.ts'
import type { PeriodQuery } from './period/analytics-address.ts'
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

/** Reads the figures with what has happened until now, which otherwise are up to a minute old. */
export function useRefresh(period: PeriodQuery) {
  const client = useQueryClient()
  const { run, ...action } = useAction()
  return {
    ...action,
    refresh: () =>
      run(async () => {
        const query = { ...period, aggiorna: 'true' as const }
        const figures = await call(getAnalytics, { query })
        client.setQueryData(endpointKey(getAnalytics, { query: period }), figures)
        await Promise.all(
          [getTraffic, getOrderAnalytics, getPresentVisits].map((endpoint) =>
            client.invalidateQueries({ queryKey: endpointKey(endpoint) }),
          ),
        )
      }),
  }
}
