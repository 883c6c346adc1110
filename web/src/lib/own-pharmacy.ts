import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'
import { endpointKey, useEndpoint } from './endpoint-query.ts'

const CACHE_MS = 5 * 60_000
/** Without it nothing comes at once: it says which line is ours. */
const MISSING_RETRY_MS = 30_000

function isRefusal(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** The pharmacy of the signed-in user, fetched once and kept five minutes. */
export function useOwnPharmacy() {
  return useEndpoint(
    getOwnPharmacy,
    {},
    {
      staleTime: CACHE_MS,
      gcTime: CACHE_MS,
      refetchInterval: ({ state: { data, error } }) =>
        data === undefined && error !== null && !isRefusal(error) ? MISSING_RETRY_MS : false,
    },
  )
}

/** What we knew of the pharmacy may be wrong: ask again. */
export function doubtOwnPharmacy(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(getOwnPharmacy) })
}
