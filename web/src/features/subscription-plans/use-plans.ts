import { listSubscriptionPlans } from '@bancone/contract/subscription-plans'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'

/** The plans by price. */
export function usePlans() {
  return useEndpoint(listSubscriptionPlans, {})
}

/** The server decides the order of the list. */
export function invalidatePlans(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(listSubscriptionPlans) })
}
