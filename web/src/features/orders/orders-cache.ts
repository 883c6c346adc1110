import { listOrders, type OrderRecord, type OrdersPage } from '@bancone/contract/orders'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../lib/endpoint-query.ts'

export const PAGE_CACHE_MS = 2 * 60_000
const MAX_PAGES = 20

/** The cache keys of all pages of orders. */
export const allOrderPages = endpointKey(listOrders)

/** Lets the oldest pages nobody looks at go, so that at most twenty are kept. */
export function trimOrderPages(client: QueryClient) {
  const cache = client.getQueryCache()
  const kept = cache.findAll({ queryKey: allOrderPages })
  const idle = kept
    .filter((query) => query.getObserversCount() === 0 && query.state.fetchStatus === 'idle')
    .sort((a, b) => a.state.dataUpdatedAt - b.state.dataUpdatedAt)
  for (const query of idle.slice(0, Math.max(0, kept.length - MAX_PAGES))) cache.remove(query)
}

/** Puts the order as the server now has it into every page that shows it. */
export async function putOrder(client: QueryClient, order: OrderRecord) {
  await client.cancelQueries({ queryKey: allOrderPages })
  client.setQueriesData<OrdersPage>({ queryKey: allOrderPages }, (page) =>
    page?.records.some(({ id }) => id === order.id)
      ? { ...page, records: page.records.map((old) => (old.id === order.id ? order : old)) }
      : page,
  )
}
