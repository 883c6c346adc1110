import { RefreshCw, Timer, TimerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatTime } from '../../lib/format.ts'
import type { RealtimeState } from '../../lib/realtime.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { ConnectionBadge } from './connection-badge.tsx'
import type { KnownPagination } from './use-order-counts.ts'

type OrdersHeaderProps = {
  pagination: KnownPagination | null
  /** A filter is active. */
  filtered: boolean
  /** Milliseconds since 1970; 0 before the first fetch. */
  updatedAt: number
  loading: boolean
  connection: RealtimeState
  autoRefresh: boolean
  /** Buttons of another feature, shown first. */
  actions: ReactNode
  /** Buttons of a second row. */
  orderActions: ReactNode
  onAutoRefresh: (on: boolean) => void
  onRefresh: () => void
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

export function OrdersHeader(props: OrdersHeaderProps) {
  const { pagination, filtered, updatedAt, loading, autoRefresh, actions, orderActions } = props
  const TimerIcon = autoRefresh ? Timer : TimerOff
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2 sm:gap-y-3">
      <div className="min-w-0 max-lg:w-full">
        <div className="flex flex-wrap items-center justify-between gap-x-4 lg:justify-start">
          <h1 className="text-2xl leading-tight font-medium tracking-tight">Ordini</h1>
          <ConnectionBadge connection={props.connection} autoRefresh={autoRefresh} />
        </div>
        <div className="flex min-h-5.5 flex-wrap items-baseline justify-between gap-x-2 text-xs text-muted tabular-nums sm:gap-x-4 sm:text-sm lg:justify-start">
          <p>{pagination ? subtitle(pagination, filtered) : null}</p>
          {updatedAt > 0 ? (
            <Button
              look="link"
              size="bare"
              className="relative font-normal! text-muted! max-sm:text-xs before:absolute before:inset-x-0 before:-inset-y-2.5"
              onClick={({ currentTarget }) => props.onHealth(currentTarget)}
            >
              {`Aggiornato alle ${formatTime(updatedAt)}`}
              <span className="sr-only">: mostra lo stato della copia</span>
            </Button>
          ) : null}
        </div>
      </div>
      <div className="flex flex-col gap-2 max-lg:w-full lg:items-end print:hidden">
        {/* Scrollable on a phone, with the most used button first. */}
        <div className="flex flex-wrap gap-2 max-sm:-mx-4 max-sm:-my-1 max-sm:flex-nowrap max-sm:overflow-x-auto max-sm:px-4 max-sm:py-1 max-sm:[scrollbar-width:none]">
          {actions}
          <Button
            aria-pressed={autoRefresh}
            onClick={() => props.onAutoRefresh(!autoRefresh)}
            className="max-sm:px-2.5"
          >
            <TimerIcon aria-hidden />
            {autoRefresh ? 'Auto-aggiornamento attivo' : 'Attiva auto-aggiornamento'}
          </Button>
          <Button
            className="max-sm:order-first max-sm:px-2.5"
            inactive={loading}
            onClick={props.onRefresh}
          >
            <RefreshCw
              aria-hidden
              className={cn(loading && 'animate-spin motion-reduce:animate-none')}
            />
            Aggiorna
          </Button>
        </div>
        {orderActions}
      </div>
    </div>
  )
}
