import { type AdminPharmacy, listAdminPharmacies } from '@bancone/contract/admin-pharmacies'
import { getAdminStatistics } from '@bancone/contract/administrators'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey, updateCached, useEndpoint } from '../../lib/endpoint-query.ts'
import { replaceItem } from '../../lib/item-list.ts'
import { searchable } from '../../lib/searchable.ts'

/** All pharmacies by name, without the deleted ones. */
export function useAdminPharmacies() {
  return useEndpoint(listAdminPharmacies, { query: { state: 'present' } })
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

/** Whether the words are part of the code, the name, the email or the address. */
export function matches(pharmacy: AdminPharmacy, words: string): boolean {
  const wanted = searchable(words.trim())
  const { pharmacy_id: code, name, email, address } = pharmacy
  return [code, name, email, address ?? ''].some((text) => searchable(text).includes(wanted))
}
