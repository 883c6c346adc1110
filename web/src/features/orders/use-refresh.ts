import { refreshOrders } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { invalidateOrderPages } from './orders-cache.ts'

/** Makes the server read the order source, and refetches the page. @param onRefreshed called after the last refetch */
export function useRefresh(onRefreshed: () => void) {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(refreshOrders)

  async function refresh() {
    // Failures of the order source, and of the server, are shown by the page.
    await mutateAsync({}).catch(() => undefined)
    await invalidateOrderPages(client)
    onRefreshed()
  }

  return { refresh: () => void refresh(), refreshing: isPending }
}
