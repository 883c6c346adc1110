import { OrdersQuery } from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE } from '@bancone/contract/paging'
import { useSearchParams } from 'react-router'
import { z } from 'zod'

const { page, pageSize, stato } = OrdersQuery.shape

/** The query of the address bar; what is not valid there counts as not said. */
const OrdersSearch = z.object({
  page: page.catch(1),
  pageSize: pageSize.catch(DEFAULT_PAGE_SIZE),
  stato: stato.catch(undefined),
})

export function parseOrdersSearch(search: URLSearchParams): OrdersQuery {
  return OrdersSearch.parse(Object.fromEntries(search))
}

/** Defaults are not written. */
export function formatOrdersSearch(query: OrdersQuery): URLSearchParams {
  const search = new URLSearchParams()
  if (query.page !== 1) search.set('page', String(query.page))
  if (query.pageSize !== DEFAULT_PAGE_SIZE) search.set('pageSize', String(query.pageSize))
  if (query.stato !== undefined) search.set('stato', query.stato)
  return search
}

/** The query the address bar holds, and how to go to another one (with a history entry). */
export function useOrdersSearch() {
  const [search, setSearch] = useSearchParams()
  const query = parseOrdersSearch(search)
  const go = (change: Partial<OrdersQuery>) =>
    setSearch(formatOrdersSearch({ ...query, page: 1, ...change }))
  return { query, go }
}
