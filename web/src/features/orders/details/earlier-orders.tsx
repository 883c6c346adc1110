import type { OrderDetails } from '@bancone/contract/order-details'
import type { OrderRecord } from '@bancone/contract/orders'
import { ChevronRight } from 'lucide-react'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { StatusBadge } from '../data/order-status.tsx'
import { viewOrder } from '../data/order-view.ts'
import { DetailsSection } from './details-section.tsx'

type EarlierOrdersProps = {
  earlier: OrderDetails['earlier']
  onOpen: (order: OrderRecord) => void
}

function EarlierOrder({ record, onOpen }: { record: OrderRecord; onOpen: () => void }) {
  const { number, created, status, product } = viewOrder(record)
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="flex min-h-11 w-full items-center gap-2 rounded-control px-2 py-1.5 text-left hover:bg-sunken"
      >
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="font-medium tabular-nums">
              <span className="sr-only">Ordine </span>
              {number}
            </span>
            <span className="text-sm text-muted tabular-nums">{formatDateTime(created)}</span>
            <StatusBadge status={status} />
          </span>
          <span className="block truncate text-sm text-muted">
            {product ?? 'Nessun prodotto indicato'}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
      </button>
    </li>
  )
}

/** Other orders with the same phone number. */
export function EarlierOrders({ earlier, onOpen }: EarlierOrdersProps) {
  const { count, records } = earlier
  if (count === 0) return null
  const more = count - records.length
  return (
    <DetailsSection title={`Altri ordini di questo numero (${formatNumber(count)})`}>
      <ul className="-mx-2 flex flex-col">
        {records.map((record) => (
          <EarlierOrder key={record.id} record={record} onOpen={() => onOpen(record)} />
        ))}
      </ul>
      {more > 0 ? (
        <p className="text-sm text-muted">
          {more === 1 ? 'e un altro più vecchio' : `e altri ${formatNumber(more)} più vecchi`}
        </p>
      ) : null}
    </DetailsSection>
  )
}
