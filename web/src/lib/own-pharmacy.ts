import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError, hasCode } from './api.ts'
import { endpointKey, useEndpoint } from './endpoint-query.ts'

const CACHE_MS = 5 * 60_000
/**
 * The id of the pharmacy is needed for the realtime topic: without it there are no live updates. An inactive pharmacy may be
 * activated again.
 */
const RETRY_MS = 30_000

function retryAfter(error: Error | null, hasData: boolean): number | false {
  if (hasCode(error, 'pharmacy.inactive')) return RETRY_MS
  return !hasData && error !== null && !isClientError(error) ? RETRY_MS : false
}

function isClientError(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** The pharmacy of the signed-in user, cached for five minutes. */
export function useOwnPharmacy() {
  return useEndpoint(
    getOwnPharmacy,
    {},
    {
      staleTime: CACHE_MS,
      gcTime: CACHE_MS,
      refetchInterval: ({ state: { data, error } }) => retryAfter(error, data !== undefined),
    },
  )
}

/** Refetches the pharmacy after a sign that the cached data is outdated. */
export function invalidateOwnPharmacy(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(getOwnPharmacy) })
}
