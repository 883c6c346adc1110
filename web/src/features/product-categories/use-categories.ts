import { listAdminCategories } from '@bancone/contract/product-categories'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'

/** The categories by name. */
export function useCategories() {
  return useEndpoint(listAdminCategories, {})
}

/** The server decides the order of the list. */
export function invalidateCategories(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(listAdminCategories) })
}
