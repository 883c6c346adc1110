import type { OrderStatus } from '@bancone/contract/orders'
import type { Pagination } from '@bancone/contract/paging'
import { RefreshCw, Timer, TimerOff } from 'lucide-react'
import { formatNumber, formatTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'

type OrdersHeaderProps = {
  pagination: Pagination | undefined
  /** The one state the counted orders have. */
  filter: OrderStatus | undefined
  /** Milliseconds; 0 when nothing has been read yet. */
  updatedAt: number
  loading: boolean
  autoRefresh: boolean
  onAutoRefresh: (on: boolean) => void
  onRefresh: () => void
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
  const { pagination, filter, updatedAt, loading, autoRefresh, onAutoRefresh, onRefresh } = props
  const TimerIcon = autoRefresh ? Timer : TimerOff
  return (
    <div className="grid grid-cols-[1fr_auto] items-baseline gap-x-3 lg:flex lg:items-end">
      <div className="contents lg:mr-auto lg:block">
        <h1 className="text-2xl leading-tight font-medium tracking-tight">Ordini</h1>
        <p className="col-span-2 min-h-5.5 text-sm text-muted tabular-nums">
          {pagination ? subtitle(pagination, filter) : null}
        </p>
      </div>
      <p className="col-start-2 row-start-1 min-h-5.5 text-sm text-muted tabular-nums lg:pb-2">
        {updatedAt > 0 ? `Aggiornato alle ${formatTime(updatedAt)}` : '\u00a0'}
      </p>
      <div className="col-span-2 mt-3 flex flex-wrap gap-2 lg:mt-0 print:hidden">
        <Button
          aria-pressed={autoRefresh}
          onClick={() => onAutoRefresh(!autoRefresh)}
          className="max-sm:flex-1 max-sm:px-2.5"
        >
          <TimerIcon aria-hidden />
          {autoRefresh ? 'Auto-aggiornamento attivo' : 'Attiva auto-aggiornamento'}
        </Button>
        <Button className="max-sm:px-2.5" inactive={loading} onClick={onRefresh}>
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
