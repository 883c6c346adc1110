import { refreshOrders } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { readOrderPages } from './orders-cache.ts'

/** Has the order store read now, and then the page. */
export function useRefresh() {
  const client = useQueryClient()
  const { mutateAsync, isPending } = useEndpointMutation(refreshOrders)

  async function refresh() {
    // What keeps the store from being read is said by the page, and so is a server out of reach.
    await mutateAsync({}).catch(() => undefined)
    await readOrderPages(client)
  }

  return { refresh: () => void refresh(), refreshing: isPending }
}
