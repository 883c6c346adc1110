import type { Analytics } from '@bancone/contract/analytics'
import { trend } from '@bancone/contract/analytics-figures'
import {
  ArrowDown,
  ArrowRight,
  ArrowUp,
  Eye,
  type LucideIcon,
  Package,
  TrendingUp,
  Users,
} from 'lucide-react'
import { formatCompactNumber, formatNumber } from '../../../lib/format.ts'
import { cn } from '../../../ui/class-names.ts'
import {
  type ComparisonTexts,
  comparisons,
  decimalText,
  percentText,
} from '../texts/percent-texts.ts'
import type { OfPeriod } from '../use-analytics.ts'

type CardProps = {
  Icon: LucideIcon
  name: string
  /** Stands after the name. */
  qualifier?: string
  now: number
  /** Null where there is nothing to compare with. */
  before: number | null
  /** In full, for screen readers and on hover; `short` is what is shown. */
  value: (figure: number) => string
  short?: (figure: number) => string
  detail: string
  comparison: ComparisonTexts
}

function Card({ Icon, name, qualifier, now, before, value, detail, ...rest }: CardProps) {
  const { short = value, comparison } = rest
  const [full, shown] = [value(now), short(now)]
  return (
    <div className="flex min-w-0 flex-col rounded-card border border-line bg-surface p-3 sm:p-4 md:p-5 print:p-3">
      <dt className="flex items-start gap-2 text-sm font-medium">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted max-sm:hidden" />
        <span>
          {name} {qualifier ? <span className="font-normal text-muted">{qualifier}</span> : null}
        </span>
      </dt>
      <dd className="mt-2 flex flex-1 flex-col gap-1">
        <p
          title={shown === full ? undefined : full}
          className="text-2xl leading-tight sm:text-3xl font-medium tracking-tight tabular-nums"
        >
          {shown === full ? (
            full
          ) : (
            <>
              <span aria-hidden>{shown}</span>
              <span className="sr-only">{full}</span>
            </>
          )}
        </p>
        <p className="mb-1 text-sm text-muted">{detail}</p>
        <div className="mt-auto border-t border-line pt-2">
          <TrendLine now={now} before={before} comparison={comparison} format={short} />
        </div>
      </dd>
    </div>
  )
}

/** The four figures of a period, with their change since the compared one. */
export function SummaryCards({ data, period }: OfPeriod<Analytics>) {
  const { summary, previous } = data
  // Orders that could not be read are zero, which is no change.
  const ordersBefore = data.ordersFailed ? null : previous
  const comparison = comparisons[period.confronto]
  const counted = { value: formatNumber, short: formatCompactNumber, comparison }
  return (
    <dl
      aria-label="Riepilogo"
      className="grid grid-cols-2 gap-2.5 sm:gap-3 xl:grid-cols-4 print:grid-cols-4"
    >
      <Card
        Icon={Eye}
        name="Visualizzazioni"
        {...counted}
        now={summary.totalPageViews}
        before={previous && previous.totalPageViews}
        detail={`della pagina delle offerte, in ${formatNumber(summary.visits)} ${summary.visits === 1 ? 'visita' : 'visite'}`}
      />
      <Card
        Icon={Users}
        name="Visitatori unici"
        qualifier="(giorno migliore)"
        {...counted}
        now={summary.uniqueVisitors}
        before={previous && previous.uniqueVisitors}
        detail={`Media al giorno: ${decimalText(summary.dailyVisitors)}`}
      />
      <Card
        Icon={Package}
        name="Ordini"
        {...counted}
        now={summary.totalOrders}
        before={ordersBefore && ordersBefore.totalOrders}
        detail={`Completati: ${formatNumber(summary.completedOrders)} (${percentText(summary.completionRate)})`}
      />
      <Card
        Icon={TrendingUp}
        name="Conversione"
        value={percentText}
        comparison={comparison}
        now={summary.conversionRate}
        before={ordersBefore && ordersBefore.conversionRate}
        detail="ordini ogni 100 visualizzazioni"
      />
    </dl>
  )
}

const looks = {
  up: { Icon: ArrowUp, className: 'text-confirmed' },
  down: { Icon: ArrowDown, className: 'text-cancelled' },
  same: { Icon: ArrowRight, className: 'text-muted' },
}

type TrendLineProps = Pick<CardProps, 'now' | 'before' | 'comparison'> & {
  /** The value before, as it is shown. */
  format: (value: number) => string
}

/** The change since the compared period: an arrow, words, and the value of then. */
function TrendLine({ now, before, comparison, format }: TrendLineProps) {
  if (before === null) {
    return (
      <p className="text-sm text-muted">
        <span className="font-medium">n/d</span> · nessun confronto
      </p>
    )
  }
  const percent = trend(now, before)
  const { Icon, className } = looks[percent > 0 ? 'up' : percent < 0 ? 'down' : 'same']
  return (
    <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
      <span
        className={cn('inline-flex items-center gap-1 font-medium whitespace-nowrap', className)}
      >
        <Icon aria-hidden className="size-3.5" />
        {percent === 0
          ? 'Invariato'
          : `${percentText(Math.abs(percent))} in ${percent > 0 ? 'più' : 'meno'}`}
      </span>
      <span>
        <span className="sr-only">{comparison.than}, </span>
        prima {format(before)}
      </span>
    </p>
  )
}
