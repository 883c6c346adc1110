import { formatNumber } from '../../lib/format.ts'
import { isFiltered, type OrdersListQuery } from './orders-search.ts'
import type { KnownPagination } from './use-order-counts.ts'

type FoundStatusProps = {
  pagination: KnownPagination | null
  query: OrdersListQuery
  /** The shown orders are not those of the current query yet. */
  waiting: boolean
}

/** Announces the number of found orders to screen readers. */
export function FoundStatus({ pagination, query, waiting }: FoundStatusProps) {
  const found = waiting || !isFiltered(query) ? null : (pagination?.totalRecords ?? null)
  return (
    <p role="status" className="sr-only">
      {found === null ? null : `Ordini trovati: ${formatNumber(found)}`}
    </p>
  )
}
