import { type OrdersSearchFilter, SearchText } from '@bancone/contract/order-search'
import { OrdersQuery } from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE } from '@bancone/contract/paging'
import { useCallback, useEffect, useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { z } from 'zod'
import { queryString } from '../../lib/query-string.ts'

/** The query of the list: page, sorting, filters and search text. */
export type OrdersListQuery = OrdersQuery & { q?: string | undefined }

/** No filter. Contains all filters, without page and sorting. */
export const NO_FILTER = {
  q: undefined,
  stato: undefined,
  periodo: undefined,
  dal: undefined,
  al: undefined,
} as const satisfies OrdersSearchFilter

const parts = OrdersQuery.shape

/** Invalid values in the URL are ignored. */
const Address = z.object({
  page: parts.page.catch(1),
  pageSize: parts.pageSize.catch(DEFAULT_PAGE_SIZE),
  stato: parts.stato.catch(undefined),
  periodo: parts.periodo.catch(undefined),
  dal: parts.dal.catch(undefined),
  al: parts.al.catch(undefined),
  ordina: parts.ordina.catch(undefined),
  q: SearchText.optional().catch(undefined),
})

/** The parts of the URL. The search text is in the hash, which is never sent to a server. */
export type OrdersAddress = { search: string; hash: string }

export function parseOrdersAddress({ search, hash }: OrdersAddress): OrdersListQuery {
  const query = Address.parse({
    ...Object.fromEntries(new URLSearchParams(search)),
    q: new URLSearchParams(hash.slice(1)).get('q') ?? undefined,
  })
  const backwards = query.dal !== undefined && query.al !== undefined && query.dal > query.al
  const days = query.dal !== undefined || query.al !== undefined
  return {
    ...query,
    ...(backwards ? { dal: undefined, al: undefined } : {}),
    // Dates take precedence over a period.
    ...(days && !backwards ? { periodo: undefined } : {}),
    ...(query.ordina === 'recenti' ? { ordina: undefined } : {}),
  }
}

/** Default values are omitted. */
export function formatOrdersAddress(query: OrdersListQuery): OrdersAddress {
  const search = new URLSearchParams()
  if (query.page !== 1) search.set('page', String(query.page))
  if (query.pageSize !== DEFAULT_PAGE_SIZE) search.set('pageSize', String(query.pageSize))
  if (query.stato !== undefined) search.set('stato', query.stato.join(','))
  for (const name of ['periodo', 'dal', 'al', 'ordina'] as const) {
    const value = query[name]
    if (value !== undefined) search.set(name, value)
  }
  return {
    search: queryString(search),
    hash: query.q === undefined ? '' : `#q=${encodeURIComponent(query.q)}`,
  }
}

/** The filter part of the query. */
export function filterOf({ q, stato, periodo, dal, al }: OrdersListQuery): OrdersSearchFilter {
  return { q, stato, periodo, dal, al }
}

/** Whether any filter is active. */
export function isFiltered(query: OrdersListQuery): boolean {
  return Object.values(filterOf(query)).some((value) => value !== undefined)
}

/** Whether a search or dates are active, for which the server keeps no counts. */
export function hasUncountedFilter(query: OrdersListQuery): boolean {
  return isFiltered({ ...query, stato: undefined })
}

export type Go = (change: Partial<OrdersListQuery>, options?: { replace?: boolean }) => void

/** The query in the URL, with a stable identity, and a function to change it. */
export function useOrdersSearch() {
  const location = useLocation()
  const { search, hash } = location
  const entry: unknown = location.state
  const navigate = useNavigate()
  const query = useMemo(() => parseOrdersAddress({ search, hash }), [search, hash])
  /**
   * Goes to page 1 unless the change contains a page. Adds a history entry unless `replace` is set. Changes the
   * current URL: before the next render `query` lacks the last change, which would be lost.
   */
  const go: Go = useCallback(
    (change, { replace = false } = {}) =>
      void navigate(
        formatOrdersAddress({ ...parseOrdersAddress(window.location), page: 1, ...change }),
        {
          replace,
          // Keeps the state of a replaced entry, so that an open sheet stays open.
          state: replace ? entry : null,
        },
      ),
    [navigate, entry],
  )
  return { query, go }
}

/** Redirects from a page beyond the last one to the last one. */
export function useClampedPage(query: number, totalPages: number | null, go: Go) {
  const last = totalPages === null ? null : Math.max(1, totalPages)
  useEffect(() => {
    if (last !== null && query > last) go({ page: last }, { replace: true })
  }, [query, last, go])
}
