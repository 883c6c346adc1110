import { countOrders } from '@bancone/contract/order-search'
import type { OrdersPage, StatusCounts } from '@bancone/contract/orders'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { pageOptions } from './freshness.ts'
import { hasUncountedFilter, type OrdersListQuery, withoutStatus } from './orders-search.ts'
import type { ShownOrders } from './use-orders.ts'

/** Number of orders by status, regardless of the status filter. `all` includes unknown statuses. */
export type OrderCounts = {
  counts: StatusCounts
  all: number
  late: number
  toCollect: number
  overdue: number
}

function countsOfPage({ counts, statistics }: OrdersPage): OrderCounts {
  const { total: all, late, toCollect, overdue } = statistics
  return { counts, all, late, toCollect, overdue }
}

/**
 * The counts for the query; null while they are loading, or after a failure. Without search and dates the page contains
 * them. Otherwise they are fetched after the page.
 */
function useOrderCounts(
  query: OrdersListQuery,
  page: OrdersPage | undefined,
  autoRefresh: boolean,
) {
  const own = hasUncountedFilter(query) || page?.pagination.counted === false
  const { data, isError } = useEndpoint(
    countOrders,
    { body: withoutStatus(query) },
    { ...pageOptions(autoRefresh), enabled: own && page !== undefined },
  )
  if (own) return { counts: data ?? null, isError }
  return { counts: page ? countsOfPage(page) : null, isError: false }
}

/** The pagination, with null for what is not known yet. */
export type KnownPagination = {
  currentPage: number
  hasNextPage: boolean
  totalPages: number | null
  totalRecords: number | null
}

export function knownPagination(
  { pagination }: OrdersPage,
  { stato, ritardo, ritiro, pageSize }: OrdersListQuery,
  counted: OrderCounts | null,
): KnownPagination {
  if (pagination.counted) return pagination
  const { currentPage, hasNextPage } = pagination
  if (counted === null) {
    return { currentPage, hasNextPage, totalPages: null, totalRecords: null }
  }
  const ofStatuses = stato?.reduce((sum, status) => sum + counted.counts[status], 0)
  const ofChoice = ritardo
    ? counted.late
    : ritiro
      ? counted[ritiro === 'si' ? 'toCollect' : 'overdue']
      : ofStatuses
  const totalRecords = ofChoice ?? counted.all
  return { currentPage, hasNextPage, totalPages: Math.ceil(totalRecords / pageSize), totalRecords }
}

/** Whether two queries have the same counts: they differ only in status, page and sorting. */
export function sameCounts(one: OrdersListQuery, other: OrdersListQuery): boolean {
  return (
    one.q === other.q &&
    one.periodo === other.periodo &&
    one.dal === other.dal &&
    one.al === other.al
  )
}

/** The pagination of the shown page, and the counts of the current query. */
export function usePaginationAndCounts(
  query: OrdersListQuery,
  shown: ShownOrders | null,
  autoRefresh: boolean,
) {
  const { counts: known, isError } = useOrderCounts(shown?.query ?? query, shown?.page, autoRefresh)
  const pagination = shown ? knownPagination(shown.page, shown.query, known) : null
  // Every page contains the counts of all orders, also a page of search results.
  const ofAll = shown && countsOfPage(shown.page)
  const counts =
    shown && sameCounts(shown.query, query) ? known : hasUncountedFilter(query) ? null : ofAll
  return { pagination, counts, countsFailed: isError }
}
