import type { ReactNode } from 'react'
import { formatNumber, formatTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { ConnectionBadge } from './connection-badge.tsx'
import type { ConnectionState } from './live-orders.tsx'
import type { KnownPagination } from './use-order-counts.ts'

type OrdersHeaderProps = {
  pagination: KnownPagination | null
  /** A filter is active. */
  filtered: boolean
  /** Milliseconds since 1970; 0 before the first fetch. */
  updatedAt: number
  connection: ConnectionState
  autoRefresh: boolean
  /** The buttons of the page. */
  tools: ReactNode
  onHealth: (opener: HTMLElement) => void
}

function found(count: number, filtered: boolean): string {
  const total = formatNumber(count)
  if (!filtered) return `${total} ordini totali`
  return count === 1 ? '1 ordine trovato' : `${total} ordini trovati`
}

function subtitle(pagination: KnownPagination, filtered: boolean): string | null {
  const { totalPages, totalRecords } = pagination
  const page = `Pagina ${formatNumber(pagination.currentPage)}`
  if (totalPages === null || totalRecords === null) return page
  if (totalRecords === 0) return null
  return `${page} di ${formatNumber(totalPages)} • ${found(totalRecords, filtered)}`
}

/** Title and tools of the page: one line on a wide screen. */
export function OrdersHeader(props: OrdersHeaderProps) {
  const { pagination, filtered, updatedAt, autoRefresh, tools } = props
  return (
    <div className="flex flex-col gap-2 min-[90rem]:flex-row min-[90rem]:items-center min-[90rem]:justify-between min-[90rem]:gap-4">
      <div className="min-w-0">
        <div className="flex items-center justify-between gap-x-4 min-[90rem]:justify-start">
          <h1 className="text-xl leading-7 font-medium tracking-tight">Ordini</h1>
          <ConnectionBadge connection={props.connection} autoRefresh={autoRefresh} />
        </div>
        <div className="flex min-h-4 flex-wrap items-baseline justify-between gap-x-2 text-xs leading-4 text-muted tabular-nums sm:gap-x-4 min-[90rem]:justify-start">
          <p className="min-[90rem]:empty:hidden">
            {pagination ? subtitle(pagination, filtered) : null}
          </p>
          {updatedAt > 0 ? (
            <Button
              look="link"
              size="bare"
              className="relative text-xs leading-4 font-normal! text-muted! before:absolute before:inset-x-0 before:-inset-y-2.5"
              onClick={({ currentTarget }) => props.onHealth(currentTarget)}
            >
              {`Aggiornato alle ${formatTime(updatedAt)}`}
              <span className="sr-only">: mostra lo stato della copia</span>
            </Button>
          ) : null}
        </div>
      </div>
      {tools}
    </div>
  )
}
