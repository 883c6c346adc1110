import type { Pagination } from '@bancone/contract/paging'
import { RefreshCw, Timer, TimerOff } from 'lucide-react'
import { formatNumber, formatTime } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'

type OrdersHeaderProps = {
  pagination: Pagination | undefined
  /** Milliseconds; 0 when nothing has been read yet. */
  updatedAt: number
  loading: boolean
  autoRefresh: boolean
  onAutoRefresh: (on: boolean) => void
  onRefresh: () => void
}

function subtitle({ currentPage, totalPages, totalRecords }: Pagination): string | null {
  if (totalRecords === 0) return null
  const [page, pages, total] = [currentPage, totalPages, totalRecords].map(formatNumber)
  return `Pagina ${page} di ${pages} • ${total} ordini totali`
}

export function OrdersHeader(props: OrdersHeaderProps) {
  const { pagination, updatedAt, loading, autoRefresh, onAutoRefresh, onRefresh } = props
  const TimerIcon = autoRefresh ? Timer : TimerOff
  return (
    <div className="flex flex-wrap items-end gap-x-3 gap-y-3">
      <div className="mr-auto">
        <h1 className="text-2xl leading-tight font-semibold tracking-tight">Ordini</h1>
        <p className="min-h-5.5 text-sm text-muted tabular-nums">
          {pagination ? subtitle(pagination) : null}
        </p>
      </div>
      <p className="min-h-5.5 text-[13px] text-muted tabular-nums sm:pb-2">
        {updatedAt > 0 ? `Aggiornato alle ${formatTime(updatedAt)}` : null}
      </p>
      <div className="flex w-full gap-2 sm:w-auto print:hidden">
        <Button
          aria-pressed={autoRefresh}
          onClick={() => onAutoRefresh(!autoRefresh)}
          className={cn('max-sm:flex-1 max-sm:px-2.5', autoRefresh ? 'text-accent' : 'text-muted')}
        >
          <TimerIcon aria-hidden />
          {autoRefresh ? 'Auto-aggiornamento attivo' : 'Attiva auto-aggiornamento'}
        </Button>
        <Button className="max-sm:px-2.5" disabled={loading} onClick={onRefresh}>
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
