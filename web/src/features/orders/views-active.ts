import { listOrderViews, type OrderView, type ViewSearch } from '@bancone/contract/order-views'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { FIRST_PAGE } from './orders-cache.ts'
import { formatOrdersAddress, isFiltered, type OrdersAsked, soughtOf } from './orders-search.ts'

/** A view that was changed on another screen is heard of when the list is this old. */
const FRESH_MS = 60_000

/** What a view would keep of what is asked for; null when nothing is. */
export function viewSearch(query: OrdersAsked): ViewSearch | null {
  if (!isFiltered(query) && query.ordina === undefined) return null
  return { ...soughtOf(query), ordina: query.ordina }
}

function address(search: ViewSearch): string {
  return Object.values(formatOrdersAddress({ ...FIRST_PAGE, ...search })).join('')
}

export function isView({ search }: OrderView, query: OrdersAsked): boolean {
  const asked = viewSearch(query)
  return asked !== null && address(search) === address(asked)
}

/** The saved views, once somebody wants them. */
export function useViews(wanted = true) {
  return useEndpoint(listOrderViews, {}, { enabled: wanted, staleTime: FRESH_MS })
}

/** The view that is shown just now; without a filter none is, and none is looked for. */
export function useActiveView(query: OrdersAsked): OrderView | undefined {
  const { data } = useViews(viewSearch(query) !== null)
  return data?.views.find((view) => isView(view, query))
}
