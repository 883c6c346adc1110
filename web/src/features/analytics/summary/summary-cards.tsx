import type { Analytics } from '@bancone/contract/analytics'
import { Eye, type LucideIcon, Package, TrendingUp, Users } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatCompactNumber, formatNumber } from '../../../lib/format.ts'
import {
  type ComparisonTexts,
  comparisons,
  decimalText,
  percentText,
} from '../texts/percent-texts.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { TrendLine } from './trend-line.tsx'

type CardProps = {
  Icon: LucideIcon
  name: string
  /** Stands after the name. */
  qualifier?: string
  /** In full, for screen readers and on hover; `short` is what is shown. */
  value: string
  short?: string
  detail: ReactNode
  children: ReactNode
}

function Card({ Icon, name, qualifier, value, short = value, detail, children }: CardProps) {
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
          title={short === value ? undefined : value}
          className="text-2xl leading-tight sm:text-3xl font-medium tracking-tight tabular-nums"
        >
          {short === value ? (
            value
          ) : (
            <>
              <span aria-hidden>{short}</span>
              <span className="sr-only">{value}</span>
            </>
          )}
        </p>
        <p className="mb-1 text-sm text-muted">{detail}</p>
        <div className="mt-auto border-t border-line pt-2">{children}</div>
      </dd>
    </div>
  )
}

/** The four figures of a period, with their change since the compared one. */
export function SummaryCards({ data, period }: OfPeriod<Analytics>) {
  const { summary, previous } = data
  // Orders that could not be read are zero, which is no change.
  const ordersBefore = data.ordersFailed ? null : previous
  const comparison: ComparisonTexts = comparisons[period.confronto]
  const counted = (value: number) => ({
    value: formatNumber(value),
    short: formatCompactNumber(value),
  })
  return (
    <dl
      aria-label="Riepilogo"
      className="grid grid-cols-2 gap-2.5 sm:gap-3 xl:grid-cols-4 print:grid-cols-4"
    >
      <Card
        Icon={Eye}
        name="Visualizzazioni"
        {...counted(summary.totalPageViews)}
        detail={`della pagina delle offerte, in ${formatNumber(summary.visits)} ${summary.visits === 1 ? 'visita' : 'visite'}`}
      >
        <TrendLine
          now={summary.totalPageViews}
          before={previous && previous.totalPageViews}
          comparison={comparison}
          format={formatCompactNumber}
        />
      </Card>
      <Card
        Icon={Users}
        name="Visitatori unici"
        qualifier="(giorno migliore)"
        {...counted(summary.uniqueVisitors)}
        detail={`Media al giorno: ${decimalText(summary.dailyVisitors)}`}
      >
        <TrendLine
          now={summary.uniqueVisitors}
          before={previous && previous.uniqueVisitors}
          comparison={comparison}
          format={formatCompactNumber}
        />
      </Card>
      <Card
        Icon={Package}
        name="Ordini"
        {...counted(summary.totalOrders)}
        detail={`Completati: ${formatNumber(summary.completedOrders)} (${percentText(summary.completionRate)})`}
      >
        <TrendLine
          now={summary.totalOrders}
          before={ordersBefore && ordersBefore.totalOrders}
          comparison={comparison}
          format={formatCompactNumber}
        />
      </Card>
      <Card
        Icon={TrendingUp}
        name="Conversione"
        value={percentText(summary.conversionRate)}
        detail="ordini ogni 100 visualizzazioni"
      >
        <TrendLine
          now={summary.conversionRate}
          before={ordersBefore && ordersBefore.conversionRate}
          comparison={comparison}
          format={percentText}
        />
      </Card>
    </dl>
  )
}
