import { countOrders } from '@bancone/contract/order-search'
import type { OrdersPage, StatusCounts } from '@bancone/contract/orders'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { PAGE_CACHE_MS } from './orders-cache.ts'
import { isNarrowed, type OrdersAsked, soughtOf } from './orders-search.ts'
import { AUTO_REFRESH_MS, pageOptions, type ShownOrders } from './use-orders.ts'

/** Orders by status, whichever status is asked for. `all` counts those of any, known or not. */
export type OrderCounts = { counts: StatusCounts; all: number }

/**
 * How many of the orders asked for there are of each status; null until it is known. The page says so where
 * neither words nor days are asked for. Else it is asked once the page is there, which comes first.
 */
function useOrderCounts(
  asked: OrdersAsked,
  page: OrdersPage | undefined,
  autoRefresh: boolean,
): OrderCounts | null {
  const own = isNarrowed(asked) || page?.pagination.counted === false
  const { data } = useEndpoint(
    countOrders,
    { body: { ...soughtOf(asked), stato: undefined } },
    {
      ...pageOptions(autoRefresh),
      gcTime: PAGE_CACHE_MS,
      enabled: own && page !== undefined,
      refetchInterval: autoRefresh ? AUTO_REFRESH_MS : false,
    },
  )
  if (own) return data ?? null
  return page ? { counts: page.counts, all: page.statistics.total } : null
}

/** Where the page asked for is, and how many there are. Null is not known yet. */
export type KnownPagination = {
  currentPage: number
  hasNextPage: boolean
  totalPages: number | null
  totalRecords: number | null
}

export function knownPagination(
  { pagination }: OrdersPage,
  { stato, pageSize }: OrdersAsked,
  counted: OrderCounts | null,
): KnownPagination {
  if (pagination.counted) return pagination
  const { currentPage, hasNextPage } = pagination
  if (counted === null) {
    return { currentPage, hasNextPage, totalPages: null, totalRecords: null }
  }
  const totalRecords = stato
    ? stato.reduce((sum, status) => sum + counted.counts[status], 0)
    : counted.all
  return { currentPage, hasNextPage, totalPages: Math.ceil(totalRecords / pageSize), totalRecords }
}

/** Whether the same counts answer both: they differ in nothing but the status, the page and the sorting. */
export function sameCounts(one: OrdersAsked, other: OrdersAsked): boolean {
  return (
    one.q === other.q &&
    one.periodo === other.periodo &&
    one.dal === other.dal &&
    one.al === other.al
  )
}

/** How many orders there are of what is shown, and by status of what is asked for. */
export function useCounted(asked: OrdersAsked, shown: ShownOrders | null, autoRefresh: boolean) {
  const known = useOrderCounts(shown?.query ?? asked, shown?.page, autoRefresh)
  const pagination = shown ? knownPagination(shown.page, shown.query, known) : null
  // Of all orders every page tells, also one that was found by words.
  const ofAll = shown ? { counts: shown.page.counts, all: shown.page.statistics.total } : null
  const counts = shown && sameCounts(shown.query, asked) ? known : isNarrowed(asked) ? null : ofAll
  return { pagination, counts }
}
