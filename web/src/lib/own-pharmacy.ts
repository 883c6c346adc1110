import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpoint } from './endpoint-query.ts'

const CACHE_MS = 5 * 60_000

/** The pharmacy of the signed-in user, fetched once and kept five minutes. */
export function useOwnPharmacy() {
  return useEndpoint(getOwnPharmacy, {}, { staleTime: CACHE_MS, gcTime: CACHE_MS })
}

/** What we knew of the pharmacy may be wrong: ask again. */
export function doubtOwnPharmacy(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(getOwnPharmacy) })
}
