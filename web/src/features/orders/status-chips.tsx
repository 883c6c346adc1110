import { OrderStatus } from '@bancone/contract/orders'
import { Inbox } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { statusLook } from './order-status.ts'
import type { Go, OrdersListQuery } from './orders-search.ts'
import type { OrderCounts } from './use-order-counts.ts'

type ChipProps = {
  pressed: boolean
  /** Undefined while it is loading. */
  count: number | undefined
  pill?: string
  children: ReactNode
  onPress: () => void
}

function Chip({ pressed, count, pill = '', children, onPress }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className={cn(
        'inline-flex h-11 shrink-0 items-center gap-1.5 rounded-full border px-3 text-sm font-medium whitespace-nowrap',
        'transition-colors duration-150 md:h-8 md:px-2.5 md:text-[13px] lg:px-2 xl:px-2.5 pointer-coarse:h-11 [&_svg]:size-3.5 [&_svg]:shrink-0',
        pressed
          ? cn('shadow-[inset_0_0_0_1px_currentColor]', pill || 'border-line-strong bg-sunken')
          : 'border-line bg-surface text-muted hover:bg-sunken hover:text-ink',
      )}
    >
      {children}
      {/* Wide enough for most numbers, so that the layout hardly moves. */}
      <span className="min-w-4 text-center font-normal tabular-nums">
        {count === undefined ? null : formatNumber(count)}
      </span>
    </button>
  )
}

/** Scrolls the pressed chip into view without scrolling the page. */
function useShownChip(statuses: string) {
  const row = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const chip = row.current?.querySelector<HTMLElement>('[aria-pressed="true"]')
    if (!row.current || !chip || statuses === '') return
    const middle = chip.offsetLeft - (row.current.clientWidth - chip.clientWidth) / 2
    row.current.scrollTo?.({ left: middle, behavior: 'smooth' })
  }, [statuses])
  return row
}

type StatusChipsProps = { query: OrdersListQuery; counts: OrderCounts | null; go: Go }

/** Filters by one status, with counts. Two chips are pressed when a card filters by both. */
export function StatusChips({ query, counts, go }: StatusChipsProps) {
  const { stato } = query
  const row = useShownChip(stato?.join() ?? '')
  return (
    <div
      ref={row}
      role="group"
      aria-label="Stato degli ordini"
      className="relative flex gap-1.5 max-lg:-mx-4 max-lg:-my-1 max-lg:overflow-x-auto max-lg:px-4 max-lg:py-1 max-lg:[scrollbar-width:none] lg:flex-wrap lg:gap-1 xl:gap-1.5"
    >
      <Chip
        pressed={stato === undefined}
        count={counts?.all}
        onPress={() => go({ stato: undefined })}
      >
        <Inbox aria-hidden />
        Tutti
      </Chip>
      {OrderStatus.options.map((status) => {
        const { icon: Icon, pill } = statusLook(status)
        const pressed = stato?.includes(status) ?? false
        const alone = pressed && stato?.length === 1
        return (
          <Chip
            key={status}
            pressed={pressed}
            count={counts?.counts[status]}
            pill={pill}
            onPress={() => go({ stato: alone ? undefined : [status] })}
          >
            <Icon aria-hidden />
            {status}
          </Chip>
        )
      })}
    </div>
  )
}
