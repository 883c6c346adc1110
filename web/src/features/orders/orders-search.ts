import { OrdersQuery } from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE, type Pagination } from '@bancone/contract/paging'
import { useCallback, useEffect, useMemo } from 'react'
import { useLocation, useSearchParams } from 'react-router'
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

export type Go = (change: Partial<OrdersQuery>, options?: { replace?: boolean }) => void

/** The query the address bar holds, the same object while it is the same, and how to go to another. */
export function useOrdersSearch() {
  const [search, setSearch] = useSearchParams()
  const entry: unknown = useLocation().state
  const query = useMemo(() => parseOrdersSearch(search), [search])
  /** From page 1 unless the change names one; with a history entry unless it replaces the last. */
  const go: Go = useCallback(
    (change, { replace = false } = {}) =>
      setSearch(formatOrdersSearch({ ...query, page: 1, ...change }), {
        replace,
        // In the place of an entry, what is open on it stays open.
        state: replace ? entry : null,
      }),
    [query, setSearch, entry],
  )
  return { query, go }
}

/** Leads from a page that does not exist (an old link, or orders that have gone) to the last one. */
export function useExistingPage(asked: number, pagination: Pagination | undefined, go: Go) {
  const last = pagination ? Math.max(1, pagination.totalPages) : null
  useEffect(() => {
    if (last !== null && asked > last) go({ page: last }, { replace: true })
  }, [asked, last, go])
}
