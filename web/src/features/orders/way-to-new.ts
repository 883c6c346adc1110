import type { OrdersPage } from '@bancone/contract/orders'
import type { OrderWatch } from './order-watch.tsx'
import { focusOrders } from './orders-place.ts'
import { type Go, isFiltered, NO_FILTER, type OrdersAsked } from './orders-search.ts'

type View = {
  watch: OrderWatch
  query: OrdersAsked
  shown: OrdersPage | undefined
  go: Go
  read: () => void
}

/** How to get to the new orders from here; null when there are none, or the newest is on screen. */
export function wayToNew({ watch, query, shown, go, read }: View) {
  const [newest] = watch.unseen.recordIds
  if (newest === undefined || !shown || shown.records.some(({ id }) => id === newest)) return null
  const onTop = query.page === 1 && query.ordina === undefined && !isFiltered(query)
  // The page is being read, or the order is an old one that came late and stands further down.
  if (onTop && watch.autoRefresh) return null
  return {
    label: watch.autoRefresh ? 'Mostra' : 'Mostra i nuovi ordini',
    run() {
      if (onTop) read()
      else go({ ...NO_FILTER, ordina: undefined, page: 1 })
      window.scrollTo({ top: 0 })
      // The button goes once they are on screen.
      focusOrders()
    },
  }
}
