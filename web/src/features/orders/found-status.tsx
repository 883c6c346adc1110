import { formatNumber } from '../../lib/format.ts'
import { isFiltered, type OrdersAsked } from './orders-search.ts'
import type { KnownPagination } from './use-order-counts.ts'

type FoundStatusProps = {
  pagination: KnownPagination | null
  query: OrdersAsked
  /** What is shown is not what was asked for yet. */
  waiting: boolean
}

/** Says to who does not see the list how many orders a search has found. */
export function FoundStatus({ pagination, query, waiting }: FoundStatusProps) {
  const found = waiting || !isFiltered(query) ? null : (pagination?.totalRecords ?? null)
  return (
    <p role="status" className="sr-only">
      {found === null ? null : `Ordini trovati: ${formatNumber(found)}`}
    </p>
  )
}
