import type { OrdersPage } from '@bancone/contract/orders'
import type { LiveOrders } from './live-orders.tsx'
import { focusOrders } from './orders-focus.ts'
import { type Go, isFiltered, NO_FILTER, type OrdersListQuery } from './orders-search.ts'

type View = {
  liveOrders: LiveOrders
  query: OrdersListQuery
  shown: OrdersPage | undefined
  go: Go
  refetch: () => void
}

/** The action that leads to the new orders; null when there are none, or the newest is on screen. */
export function showNewOrdersAction({ liveOrders, query, shown, go, refetch }: View) {
  const [newest] = liveOrders.unseen.recordIds
  if (newest === undefined || !shown || shown.records.some(({ id }) => id === newest)) return null
  const onTop = query.page === 1 && query.ordina === undefined && !isFiltered(query)
  // The page is about to be refetched, or the order is an old one further down that arrived late.
  if (onTop && liveOrders.autoRefresh) return null
  return {
    label: liveOrders.autoRefresh ? 'Mostra' : 'Mostra i nuovi ordini',
    run() {
      if (onTop) refetch()
      else go({ ...NO_FILTER, ordina: undefined, page: 1 })
      window.scrollTo({ top: 0 })
      // The button disappears once the orders are on screen.
      focusOrders()
    },
  }
}
