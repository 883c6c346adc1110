import type { QueryClient } from '@tanstack/react-query'
import { PAGE_CACHE_MS, PRESS_MS, pageQueryOptions } from '../data/orders-cache.ts'
import { formatOrdersUrl, type OrdersListQuery, parseOrdersUrl } from '../data/orders-search.ts'

/*
 * Requests leave when a pointer goes down, some 100 ms before the click that shows their answers.
 */

const importDetails = () => import('../details/order-details.tsx')
let details: ReturnType<typeof importDetails> | undefined

/** Kept, because even what is there already is imported only after other work of the browser. */
export function loadDetails() {
  details ??= importDetails().catch((error: unknown) => {
    details = undefined
    throw error
  })
  return details
}

/** Asks for the details of an order. Their code is loaded as well, where it is not there yet. */
export function prefetchDetails(client: QueryClient, recordId: string) {
  loadDetails().then(
    ({ prefetchOrder }) => prefetchOrder(client, recordId),
    // The click shows it.
    () => undefined,
  )
}

/** Asks for the page to which such a change of the query leads. */
export function prefetchPage(client: QueryClient, query: OrdersListQuery) {
  void client.prefetchQuery({
    ...pageQueryOptions(parseOrdersUrl(formatOrdersUrl(query))),
    staleTime: PRESS_MS,
    gcTime: PAGE_CACHE_MS,
  })
}
