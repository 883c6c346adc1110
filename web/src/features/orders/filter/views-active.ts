import { listOrderViews, type OrderView, type ViewSearch } from '@bancone/contract/order-views'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { FIRST_PAGE } from '../data/orders-cache.ts'
import {
  filterOf,
  formatOrdersUrl,
  isFiltered,
  type OrdersListQuery,
} from '../data/orders-search.ts'

/** Views changed on another device appear when the list is this old. */
const STALE_TIME_MS = 60_000

/** The part of the query that a view stores; null when it is empty. */
export function viewSearch(query: OrdersListQuery): ViewSearch | null {
  if (!isFiltered(query) && query.ordina === undefined) return null
  return { ...filterOf(query), ordina: query.ordina }
}

function address(search: ViewSearch): string {
  return Object.values(formatOrdersUrl({ ...FIRST_PAGE, ...search })).join('')
}

export function isView({ search }: OrderView, query: OrdersListQuery): boolean {
  const asked = viewSearch(query)
  return asked !== null && address(search) === address(asked)
}

/** The saved views. @param wanted false: do not fetch them yet */
export function useViews(wanted = true) {
  return useEndpoint(listOrderViews, {}, { enabled: wanted, staleTime: STALE_TIME_MS })
}

/** The view that equals the current query. Without a filter the views are not fetched. */
export function useActiveView(query: OrdersListQuery): OrderView | undefined {
  const { data } = useViews(viewSearch(query) !== null)
  return data?.views.find((view) => isView(view, query))
}
