import { type AdminPharmacy, listAdminPharmacies } from '@bancone/contract/admin-pharmacies'
import { getAdminStatistics } from '@bancone/contract/administrators'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  endpointKey,
  endpointQueryOptions,
  updateCached,
  useEndpoint,
} from '../../lib/endpoint-query.ts'
import { replaceItem } from '../../lib/item-list.ts'

const present = { query: { state: 'present' } } as const

/** The list does not ask again for what was asked for ahead of it. */
const AHEAD_MS = 5_000

/** All pharmacies by name, without the deleted ones. */
export function useAdminPharmacies() {
  return useEndpoint(listAdminPharmacies, present, { staleTime: AHEAD_MS })
}

/** Asks for them while it is not known yet whether they may be shown. A refusal is shown by nothing. */
export function useAdminPharmaciesAhead() {
  const client = useQueryClient()
  // As for offers: observed by nothing.
  useEffect(
    () => void client.prefetchQuery(endpointQueryOptions(listAdminPharmacies, present)),
    [client],
  )
}

/** Also what counts pharmacies. */
export async function invalidatePharmacies(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: endpointKey(getAdminStatistics) })
  await client.invalidateQueries({ queryKey: endpointKey(listAdminPharmacies) })
}

/** Puts the pharmacy of a response into the cached list. */
export async function setCachedPharmacy(client: QueryClient, pharmacy: AdminPharmacy) {
  await updateCached(client, listAdminPharmacies, ({ pharmacies }) => ({
    pharmacies: replaceItem(pharmacies, pharmacy),
  }))
}
