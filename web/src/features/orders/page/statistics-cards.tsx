import type { OrderStatus } from '@bancone/contract/orders'
import { useQueryClient } from '@tanstack/react-query'
import {
  CalendarClock,
  CircleCheck,
  Clock,
  Inbox,
  type LucideIcon,
  PackageCheck,
  TriangleAlert,
} from 'lucide-react'
import { useId } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { cn } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import {
  chooseStatus,
  type Go,
  type OrdersListQuery,
  type StatusChoice,
} from '../data/orders-search.ts'
import type { OrderCounts } from '../data/use-order-counts.ts'
import { prefetchPage } from './prefetch.ts'

type Card = StatusChoice & { label: string; icon: LucideIcon; tint: string }

const processing: OrderStatus[] = ['Prenotato in Giornata', 'Prenotato Domani']

const cards: readonly Card[] = [
  { label: 'Totale Ordini', icon: Inbox, tint: 'text-muted' },
  {
    label: 'Ordini Confermati',
    icon: CircleCheck,
    tint: 'text-confirmed',
    stato: ['Confermato'],
  },
  { label: 'In Attesa', icon: Clock, tint: 'text-pending', stato: ['In attesa'] },
  {
    label: 'In Lavorazione',
    icon: CalendarClock,
    tint: 'text-bookedToday',
    stato: processing,
  },
  { label: 'In ritardo', icon: TriangleAlert, tint: 'text-danger', ritardo: 'si' },
  { label: 'Da ritirare', icon: PackageCheck, tint: 'text-confirmed', ritiro: 'si' },
]

function countOf({ stato, ritardo, ritiro }: Card, orders: OrderCounts): number {
  const { counts, all, late, toCollect } = orders
  if (ritardo) return late
  if (ritiro) return toCollect
  return stato?.reduce((sum, status) => sum + counts[status], 0) ?? all
}

type StatisticsCardsProps = {
  /** Null while they are loading. */
  counts: OrderCounts | null
  failed: boolean
  query: OrdersListQuery
  go: Go
}

/** Numbers of the orders that match search and period. A card filters by the statuses that it counts. */
export function StatisticsCards({ counts, failed, query, go }: StatisticsCardsProps) {
  const id = useId()
  const client = useQueryClient()
  return (
    <dl className="grid grid-cols-3 md:grid-cols-6 max-md:rounded-card max-md:border max-md:border-line max-md:bg-surface md:gap-2.5">
      {cards.map((card, index) => {
        const { label, icon: Icon, tint, stato, ritardo, ritiro } = card
        const [term, number] = [`${id}-term-${index}`, `${id}-number-${index}`]
        const chosen =
          query.stato?.join() === stato?.join() &&
          query.ritardo === ritardo &&
          query.ritiro === ritiro
        const change = chooseStatus(query, chosen ? {} : { stato, ritardo, ritiro })
        const isLoud = ritardo !== undefined && (counts?.late ?? 0) > 0
        return (
          <div
            key={label}
            className={cn(
              'relative border-line px-0.5 py-1 transition-colors duration-150 hover:bg-sunken',
              'max-md:flex max-md:flex-col-reverse max-md:justify-end max-md:text-center max-md:not-nth-[3n+1]:border-l max-md:nth-[n+4]:border-t',
              'max-md:first:rounded-tl-card max-md:nth-3:rounded-tr-card max-md:nth-4:rounded-bl-card max-md:last:rounded-br-card',
              'md:rounded-card md:border md:bg-surface md:px-3 xl:flex xl:items-center xl:justify-between xl:gap-3',
              // Not highlighted: without a filter it is always pressed.
              (stato ?? ritardo ?? ritiro) &&
                'has-aria-pressed:border-accent has-aria-pressed:shadow-[inset_0_0_0_1px_var(--c-accent)]',
            )}
          >
            <dt
              id={term}
              className="flex min-w-0 gap-1.5 text-[0.6875rem] text-muted max-md:justify-center max-md:leading-tight max-md:hyphens-auto md:items-center md:text-xs min-[90rem]:text-sm"
            >
              <Icon aria-hidden className={cn('size-3.5 shrink-0 max-[90rem]:hidden', tint)} />
              <span className="min-w-0 md:truncate">{label}</span>
            </dt>
            <dd
              className={cn(
                'flex h-6 items-center font-medium tracking-tight tabular-nums max-md:justify-center md:h-7 md:text-xl xl:h-8',
                isLoud && 'text-danger',
              )}
            >
              <span id={number}>
                {counts ? formatNumber(countOf(card, counts)) : null}
                {!counts && failed ? <span className="text-muted">–</span> : null}
              </span>
              {!counts && !failed ? <Skeleton className="h-4 w-9 md:h-5" /> : null}
              {/* Covers the whole card. */}
              <button
                type="button"
                aria-labelledby={`${term} ${number}`}
                aria-pressed={chosen}
                onPointerDown={() => prefetchPage(client, { ...query, page: 1, ...change })}
                onClick={() => go(change)}
                className="absolute inset-0 rounded-[inherit] print:hidden"
              />
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
