import type { OrderStatistics, OrderStatus } from '@bancone/contract/orders'
import { CalendarClock, CircleCheck, Clock, Inbox, type LucideIcon } from 'lucide-react'
import { useId } from 'react'
import { formatNumber } from '../../lib/format.ts'
import { cn } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'

type Card = {
  label: string
  icon: LucideIcon
  tint: string
  count: (statistics: OrderStatistics) => number
  /** The statuses that the card counts; undefined for all. */
  stato: OrderStatus[] | undefined
}

const cards: readonly Card[] = [
  {
    label: 'Totale Ordini',
    icon: Inbox,
    tint: 'text-muted',
    count: (s) => s.total,
    stato: undefined,
  },
  {
    label: 'Ordini Confermati',
    icon: CircleCheck,
    tint: 'text-confirmed',
    count: (s) => s.confirmed,
    stato: ['Confermato'],
  },
  {
    label: 'In Attesa',
    icon: Clock,
    tint: 'text-pending',
    count: (s) => s.pending,
    stato: ['In attesa'],
  },
  {
    label: 'In Lavorazione',
    icon: CalendarClock,
    tint: 'text-bookedToday',
    count: (s) => s.processing,
    stato: ['Prenotato in Giornata', 'Prenotato Domani'],
  },
]

type StatisticsCardsProps = {
  statistics: OrderStatistics | undefined
  failed: boolean
  /** The statuses of the current filter. */
  stato: readonly OrderStatus[] | undefined
  onStato: (stato: OrderStatus[] | undefined) => void
}

/** Totals of all orders, regardless of the filter. A card filters by the statuses that it counts. */
export function StatisticsCards({ statistics, failed, stato, onStato }: StatisticsCardsProps) {
  const id = useId()
  return (
    // On a phone one row of four, so that the orders are visible.
    <dl className="grid grid-cols-4 max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-surface sm:gap-2.5 md:gap-3">
      {cards.map(({ label, icon: Icon, tint, count, stato: counted }, index) => {
        const [term, number] = [`${id}-term-${index}`, `${id}-number-${index}`]
        return (
          <div
            key={label}
            className={cn(
              'relative border-line px-0.5 py-1.5 transition-colors duration-150 hover:bg-sunken',
              'max-sm:flex max-sm:flex-col-reverse max-sm:justify-end max-sm:text-center max-sm:not-first:border-l',
              'max-sm:first:rounded-l-card max-sm:last:rounded-r-card',
              'sm:rounded-card sm:border sm:bg-surface sm:px-3 sm:py-2 md:px-4 md:py-3',
              // Not highlighted: without a filter it is always pressed, like the chip below.
              counted &&
                'has-aria-pressed:border-accent has-aria-pressed:shadow-[inset_0_0_0_1px_var(--c-accent)]',
            )}
          >
            <dt
              id={term}
              className="flex gap-1.5 text-xs text-muted max-[22rem]:text-[0.6875rem] max-sm:justify-center max-sm:leading-tight sm:items-center md:text-sm"
            >
              <Icon aria-hidden className={cn('size-3.5 shrink-0 max-sm:hidden', tint)} />
              <span className="min-w-0 sm:truncate">{label}</span>
            </dt>
            <dd className="flex h-7 items-center font-medium tracking-tight tabular-nums max-sm:justify-center sm:h-8 sm:text-2xl md:mt-1">
              <span id={number}>
                {statistics ? formatNumber(count(statistics)) : null}
                {!statistics && failed ? <span className="text-muted">–</span> : null}
              </span>
              {!statistics && !failed ? <Skeleton className="h-5 w-10 sm:h-6 sm:w-16" /> : null}
              {/* Covers the whole card. */}
              <button
                type="button"
                aria-labelledby={`${term} ${number}`}
                aria-pressed={stato?.join() === counted?.join()}
                onClick={() => onStato(counted)}
                className="absolute inset-0 rounded-[inherit] print:hidden"
              />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
