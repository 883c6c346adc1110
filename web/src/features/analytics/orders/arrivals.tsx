import type { AnalyticsPeriod, OrderAnalytics } from '@bancone/contract/analytics'
import { pointNames } from '@bancone/contract/analytics-tables'
import { paths } from '@bancone/contract/pages'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { LineChart } from '../../../ui/charts/line-chart.tsx'
import { arrivalValues } from '../overview/charts.tsx'
import { Figures, Section } from '../section.tsx'
import { arrivalsSentence, shortWaitText } from '../texts/order-sentences.ts'

type ArrivalsProps = {
  report: NonNullable<OrderAnalytics['priority']>
  period: AnalyticsPeriod
  /** When the figures were read, ISO 8601. */
  updatedAt: string
}

/** The customers who said that they were there, and how long they waited. */
export function Arrivals({ report, period, updatedAt }: ArrivalsProps) {
  const { bucket, points } = report
  const minutes = (seconds: number | null) => (seconds === null ? null : seconds / 60)
  return (
    <>
      {points.length > 1 ? (
        <LineChart
          title={bucket === 'month' ? 'Arrivi per mese' : 'Arrivi per giorno'}
          summary="I clienti che hanno avvisato di essere in farmacia, quanti sono stati chiamati e quanti almeno una volta non c'erano."
          pointName={pointNames[bucket]}
          {...arrivalValues({ bucket, period, updatedAt }, points)}
        />
      ) : null}
      <Section
        title="Arrivi in farmacia"
        summary={arrivalsSentence(report)}
        action={
          <Link
            to={`${paths.priorityReport}?dal=${period.dal}&al=${period.al}`}
            className={buttonStyle({ size: 'small' })}
          >
            Report Priority
          </Link>
        }
      >
        <Figures
          className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-5"
          figures={[
            ['Arrivi', formatNumber(report.arrivals)],
            ['Chiamati', formatNumber(report.called)],
            ['Non presenti', formatNumber(report.noShows)],
            ['Attesa mediana', shortWaitText(minutes(report.medianWait))],
            ['Attesa, 90° percentile', shortWaitText(minutes(report.p90Wait))],
          ]}
        />
      </Section>
    </>
  )
}
