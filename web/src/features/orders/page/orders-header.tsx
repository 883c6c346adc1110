import { LoaderCircle, type LucideIcon, Pause, Timer, WifiOff, Zap } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatCount, formatNumber, formatTime } from '../../../lib/format.ts'
import { useServerSlow } from '../../../lib/slow-calls.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import type { ConnectionState } from '../data/freshness.ts'
import type { KnownPagination } from '../data/use-order-counts.ts'

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
  if (!filtered) return `${formatNumber(count)} ordini totali`
  return formatCount(count, 'ordine trovato', 'ordini trovati')
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

/** A lost connection is shown only after it has lasted this long. */
const SHOW_AFTER_MS = 3_000

type Mode = 'live' | 'slow' | 'offline' | 'trying' | 'polling' | 'manual'

const busy = {
  Icon: LoaderCircle,
  dot: 'bg-pending',
  icon: 'animate-spin text-pending motion-reduce:animate-none',
}

const looks: Record<Mode, { text: string; Icon: LucideIcon; dot: string; icon: string }> = {
  live: { text: 'In tempo reale', Icon: Zap, dot: 'bg-accent', icon: 'text-accent' },
  slow: { text: 'Il server risponde lentamente', ...busy },
  offline: { text: 'Senza connessione', Icon: WifiOff, dot: 'bg-danger', icon: 'text-danger' },
  trying: { text: 'Riconnessione…', ...busy },
  polling: {
    text: 'Aggiornamento ogni 60 secondi',
    Icon: Timer,
    dot: 'bg-control',
    icon: 'text-muted',
  },
  manual: { text: 'Aggiornamento manuale', Icon: Pause, dot: 'bg-control', icon: 'text-muted' },
}

/** Nothing is said while the first connection is made. */
const modes: Record<ConnectionState, Mode | null> = {
  connecting: null,
  live: 'live',
  reconnecting: 'trying',
  off: 'polling',
  offline: 'offline',
}

/** The mode to show, ignoring short interruptions. */
function useSettled(connection: ConnectionState): Mode | null {
  const mode = modes[connection]
  const [settled, setSettled] = useState<Mode | null>(null)
  useEffect(() => {
    const timer = setTimeout(setSettled, mode === 'trying' ? SHOW_AFTER_MS : 0, mode)
    return () => clearTimeout(timer)
  }, [mode])
  return mode === 'trying' ? settled : mode
}

/** The text for screen readers: what is wrong, and that live updates have resumed. */
function useSpoken(mode: Mode | null): string {
  const [spoken, setSpoken] = useState<Mode | null>(null)
  const isWrong = mode === 'polling' || mode === 'slow' || mode === 'offline'
  if (isWrong && spoken !== mode) setSpoken(mode)
  if (mode === 'live' && spoken !== null && spoken !== 'live') setSpoken('live')
  return spoken ? looks[spoken].text : ''
}

type ConnectionBadgeProps = { connection: ConnectionState; autoRefresh: boolean }

/** Badge with the way in which the page is updated. */
function ConnectionBadge({ connection, autoRefresh }: ConnectionBadgeProps) {
  const settled = useSettled(connection)
  const isSlow = useServerSlow()
  const trouble = settled === 'offline' ? 'offline' : isSlow ? 'slow' : null
  const mode = trouble ?? (autoRefresh ? settled : 'manual')
  const spoken = useSpoken(mode)
  const look = mode && looks[mode]
  return (
    <>
      <p className="flex min-h-5.5 items-center gap-1.5 text-sm text-muted print:hidden">
        {look ? (
          <>
            <span aria-hidden className={cn('size-2 shrink-0 rounded-full', look.dot)} />
            <look.Icon aria-hidden className={cn('size-3.5 shrink-0', look.icon)} />
            {look.text}
          </>
        ) : null}
      </p>
      <p role="status" className="sr-only">
        {autoRefresh || trouble ? spoken : ''}
      </p>
    </>
  )
}
