import { type OrdersSearchFilter, SearchText } from '@bancone/contract/order-search'
import { OrdersQuery } from '@bancone/contract/orders'
import { DEFAULT_PAGE_SIZE } from '@bancone/contract/paging'
import { useEffect } from 'react'
import { z } from 'zod/mini'
import {
  type ChangeFilter,
  type FilterUrl,
  searchParamsFormat,
  useUrlFilter,
} from '../../../lib/url-filter.ts'

/** The query of the list: page, sorting, filters and search text. */
export type OrdersListQuery = OrdersQuery & { q?: string | undefined }

/** No filter. Contains all filters, without page and sorting. */
export const NO_FILTER = {
  q: undefined,
  stato: undefined,
  ritardo: undefined,
  ritiro: undefined,
  periodo: undefined,
  dal: undefined,
  al: undefined,
} as const satisfies OrdersSearchFilter

const parts = OrdersQuery.shape

const params = searchParamsFormat(
  z.object({
    page: z.catch(parts.page, 1),
    pageSize: z.catch(parts.pageSize, DEFAULT_PAGE_SIZE),
    stato: z.catch(parts.stato, undefined),
    ritardo: z.catch(parts.ritardo, undefined),
    ritiro: z.catch(parts.ritiro, undefined),
    periodo: z.catch(parts.periodo, undefined),
    dal: z.catch(parts.dal, undefined),
    al: z.catch(parts.al, undefined),
    ordina: z.catch(parts.ordina, undefined),
  }),
)
const HashText = z.catch(z.optional(SearchText), undefined)

/** The search text is in the hash, which is never sent to a server. */
export function parseOrdersUrl({ search, hash }: FilterUrl): OrdersListQuery {
  const query = params.parse({ search })
  const backwards = query.dal !== undefined && query.al !== undefined && query.dal > query.al
  const days = query.dal !== undefined || query.al !== undefined
  return {
    ...query,
    q: HashText.parse(new URLSearchParams(hash.slice(1)).get('q') ?? undefined),
    ...(backwards ? { dal: undefined, al: undefined } : {}),
    // Dates take precedence over a period.
    ...(days && !backwards ? { periodo: undefined } : {}),
    // Late orders are all in one status, and those to be collected are in any.
    ...(query.ritardo || query.ritiro ? { stato: undefined } : {}),
    ...(query.ritardo ? { ritiro: undefined } : {}),
    ...(query.ordina === 'recenti' ? { ordina: undefined } : {}),
  }
}

export function formatOrdersUrl({ q, ...query }: OrdersListQuery): FilterUrl {
  return {
    ...params.format(query),
    hash: q === undefined ? '' : `#q=${encodeURIComponent(q)}`,
  }
}

/** The filter part of the query. */
export function filterOf(query: OrdersListQuery): OrdersSearchFilter {
  const { q, stato, ritardo, ritiro, periodo, dal, al } = query
  return { q, stato, ritardo, ritiro, periodo, dal, al }
}

/** The filter without the statuses: the one that counts by status are of. */
export function withoutStatus(query: OrdersListQuery): OrdersSearchFilter {
  return { ...filterOf(query), stato: undefined, ritardo: undefined, ritiro: undefined }
}

/** A choice of statuses, of the late orders, of those to be collected, or of all orders. */
export type StatusChoice = Pick<OrdersListQuery, 'stato' | 'ritardo' | 'ritiro'>

/** The change to a choice of statuses. The late orders are a queue: oldest first. */
export function chooseStatus(query: OrdersListQuery, choice: StatusChoice) {
  const { stato, ritardo, ritiro } = choice
  if (ritardo)
    return { stato: undefined, ritardo, ritiro: undefined, ordina: 'meno-recenti' } as const
  return { stato, ritardo, ritiro, ordina: query.ritardo ? undefined : query.ordina }
}

/** Whether any filter is active. */
export function isFiltered(query: OrdersListQuery): boolean {
  return Object.values(filterOf(query)).some((value) => value !== undefined)
}

/** Whether a search or dates are active, for which the server keeps no counts. */
export function hasUncountedFilter(query: OrdersListQuery): boolean {
  return Object.values(withoutStatus(query)).some((value) => value !== undefined)
}

export type Go = ChangeFilter<OrdersListQuery>

const ordersUrl = { parse: parseOrdersUrl, format: formatOrdersUrl }

/** The query in the URL, and a function to change it. */
export function useOrdersSearch() {
  return useUrlFilter<OrdersListQuery>(ordersUrl)
}

/** Redirects from a page beyond the last one to the last one. */
export function useClampedPage(query: number, totalPages: number | null, go: Go) {
  const last = totalPages === null ? null : Math.max(1, totalPages)
  useEffect(() => {
    if (last !== null && query > last) go({ page: last }, { replace: true })
  }, [query, last, go])
}
