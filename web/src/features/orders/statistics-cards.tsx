import type { OrderStatistics } from '@bancone/contract/orders'
import { CalendarClock, CircleCheck, Clock, Inbox, type LucideIcon } from 'lucide-react'
import { formatNumber } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

type Card = {
  label: string
  icon: LucideIcon
  tint: string
  count: (statistics: OrderStatistics) => number
}

const cards: readonly Card[] = [
  { label: 'Totale Ordini', icon: Inbox, tint: 'text-muted', count: (s) => s.total },
  {
    label: 'Ordini Confermati',
    icon: CircleCheck,
    tint: 'text-confirmed',
    count: (s) => s.confirmed,
  },
  { label: 'In Attesa', icon: Clock, tint: 'text-pending', count: (s) => s.pending },
  {
    label: 'In Lavorazione',
    icon: CalendarClock,
    tint: 'text-bookedToday',
    count: (s) => s.processing,
  },
]

type StatisticsCardsProps = { statistics: OrderStatistics | undefined; failed: boolean }

export function StatisticsCards({ statistics, failed }: StatisticsCardsProps) {
  return (
    <dl className="grid grid-cols-2 gap-2.5 md:grid-cols-4 md:gap-3">
      {cards.map(({ label, icon: Icon, tint, count }) => (
        <div
          key={label}
          className="rounded-card border border-line bg-surface px-3 py-2 md:px-4 md:py-3"
        >
          <dt className="flex items-center gap-1.5 text-xs text-muted md:text-sm">
            <Icon aria-hidden className={cn('size-3.5 shrink-0 max-[22rem]:hidden', tint)} />
            <span className="truncate">{label}</span>
          </dt>
          <dd className="flex h-8 md:mt-1 items-center text-2xl font-medium tracking-tight tabular-nums">
            {statistics ? formatNumber(count(statistics)) : null}
            {!statistics && failed ? <span className="text-muted">–</span> : null}
            {!statistics && !failed ? <Skeleton className="h-6 w-16" /> : null}
          </dd>
        </div>
      ))}
    </dl>
  )
}
