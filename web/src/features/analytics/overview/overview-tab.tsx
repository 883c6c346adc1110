import type { Analytics } from '@bancone/contract/analytics'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { ChartSkeleton } from '../analytics-skeleton.tsx'
import type { AnalyticsPeriod } from '../period/analytics-address.ts'
import { useTraffic } from '../use-analytics.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { AttentionList } from './attention-list.tsx'
import { NotesSection } from './notes-section.tsx'
import { OrdersChart } from './orders-chart.tsx'
import { PresentVisits } from './present-visits.tsx'
import { ViewsChart } from './views-chart.tsx'

type OverviewTabProps = {
  shown: OfPeriod<Analytics>
  period: AnalyticsPeriod
  /** The pharmacy has a public page of offers. */
  hasOffers: boolean
}

/** What happened in the period, what happens now, and what needs the pharmacy. */
export function OverviewTab({ shown, period, hasOffers }: OverviewTabProps) {
  const { today } = period
  const notes = <NotesSection shown={shown} today={today} />
  if (!hasOffers) {
    return (
      <>
        <OrdersChart shown={shown} today={today} />
        {notes}
      </>
    )
  }
  return (
    <div className="grid items-start gap-4 md:gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="flex min-w-0 flex-col gap-4 md:gap-5">
        <ViewsChart shown={shown} today={today} hasNoteList={false} />
        {notes}
        <OrdersChart shown={shown} today={today} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 md:gap-5">
        <PresentVisits />
        <Attention period={period} />
      </div>
    </div>
  )
}

function Attention({ period }: { period: AnalyticsPeriod }) {
  const { shown, error, isFetching, refetch } = useTraffic(period.query)
  if (shown !== null) return <AttentionList traffic={shown.data} />
  if (!error) return <ChartSkeleton />
  return (
    <RetryAlert busy={isFetching} onRetry={refetch}>
      Errore nel caricamento dati
    </RetryAlert>
  )
}
