import type { OrderStatus } from '@bancone/contract/orders'
import type { Pagination } from '@bancone/contract/paging'
import { RefreshCw, Timer, TimerOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatNumber, formatTime } from '../../lib/format.ts'
import type { RealtimeState } from '../../lib/realtime.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { ConnectionBadge } from './connection-badge.tsx'

type OrdersHeaderProps = {
  pagination: Pagination | undefined
  /** The one state the counted orders have. */
  filter: OrderStatus | undefined
  /** Milliseconds; 0 when nothing has been read yet. */
  updatedAt: number
  loading: boolean
  connection: RealtimeState
  autoRefresh: boolean
  /** The first buttons, which are another feature's. */
  actions: ReactNode
  onAutoRefresh: (on: boolean) => void
  onRefresh: () => void
  onHealth: (opener: HTMLElement) => void
}

function subtitle(
  { currentPage, totalPages, totalRecords }: Pagination,
  filter: OrderStatus | undefined,
): string | null {
  if (totalRecords === 0) return null
  const [page, pages, total] = [currentPage, totalPages, totalRecords].map(formatNumber)
  const counted =
    filter === undefined
      ? `${total} ordini totali`
      : `${total} ${totalRecords === 1 ? 'ordine' : 'ordini'}: ${filter}`
  return `Pagina ${page} di ${pages} • ${counted}`
}

export function OrdersHeader(props: OrdersHeaderProps) {
  const { pagination, filter, updatedAt, loading, autoRefresh, actions } = props
  const TimerIcon = autoRefresh ? Timer : TimerOff
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-3">
      <div className="min-w-0 max-lg:w-full">
        <div className="flex flex-wrap items-center justify-between gap-x-4 lg:justify-start">
          <h1 className="text-2xl leading-tight font-medium tracking-tight">Ordini</h1>
          <ConnectionBadge connection={props.connection} autoRefresh={autoRefresh} />
        </div>
        <div className="flex min-h-5.5 flex-wrap items-baseline justify-between gap-x-4 text-sm text-muted tabular-nums lg:justify-start">
          <p>{pagination ? subtitle(pagination, filter) : null}</p>
          {updatedAt > 0 ? (
            <Button
              look="link"
              size="bare"
              className="relative font-normal! text-muted! before:absolute before:inset-x-0 before:-inset-y-2.5"
              onClick={({ currentTarget }) => props.onHealth(currentTarget)}
            >
              {`Aggiornato alle ${formatTime(updatedAt)}`}
              <span className="sr-only">: mostra lo stato della copia</span>
            </Button>
          ) : null}
        </div>
      </div>
      <div className="flex flex-wrap gap-2 max-lg:w-full print:hidden">
        {actions}
        <Button
          aria-pressed={autoRefresh}
          onClick={() => props.onAutoRefresh(!autoRefresh)}
          className="max-sm:flex-1 max-sm:px-2.5"
        >
          <TimerIcon aria-hidden />
          {autoRefresh ? 'Auto-aggiornamento attivo' : 'Attiva auto-aggiornamento'}
        </Button>
        <Button className="max-sm:px-2.5" inactive={loading} onClick={props.onRefresh}>
          <RefreshCw
            aria-hidden
            className={cn(loading && 'animate-spin motion-reduce:animate-none')}
          />
          Aggiorna
        </Button>
      </div>
    </div>
  )
}
