import { hasFeature } from '@bancone/contract/access'
import type { Analytics } from '@bancone/contract/analytics'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import type { PriorityReport } from '@bancone/contract/priority-report'
import { Link } from 'react-router'
import { formatNumber } from '../../../lib/format.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { OrdersChart } from '../overview/orders-chart.tsx'
import type { AnalyticsPeriod } from '../period/analytics-address.ts'
import { Section } from '../section.tsx'
import { ShownFigures } from '../shown-figures.tsx'
import { arrivalsSentence, shortWaitText } from '../texts/order-sentences.ts'
import { useOrderAnalytics } from '../use-analytics.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { WaitsSection } from './waits-section.tsx'

type OrdersTabProps = {
  shown: OfPeriod<Analytics>
  period: AnalyticsPeriod
  pharmacy: OwnPharmacy
}

/** The orders of the period, how long they waited, and how long customers did. */
export function OrdersTab({ shown, period, pharmacy }: OrdersTabProps) {
  const figures = useOrderAnalytics(period.query)
  return (
    <>
      <OrdersChart shown={shown} today={period.today} />
      <ShownFigures figures={figures}>
        {({ data: { waits, priority } }) => (
          <>
            <WaitsSection waits={waits} />
            {priority !== null && hasFeature(pharmacy, 'priority_access') ? (
              <Arrivals
                report={priority}
                search={`?dal=${period.query.dal}&al=${period.query.al}`}
              />
            ) : null}
          </>
        )}
      </ShownFigures>
    </>
  )
}

function Arrivals({ report, search }: { report: PriorityReport; search: string }) {
  const minutes = (seconds: number | null) => (seconds === null ? null : seconds / 60)
  const figures = [
    ['Arrivi', formatNumber(report.arrivals)],
    ['Chiamati', formatNumber(report.called)],
    ['Non presenti', formatNumber(report.noShows)],
    ['Attesa mediana', shortWaitText(minutes(report.medianWait))],
    ['Attesa, 90° percentile', shortWaitText(minutes(report.p90Wait))],
  ] as const
  return (
    <Section
      title="Arrivi in farmacia"
      summary={arrivalsSentence(report)}
      action={
        <Link to={paths.priorityReport + search} className={buttonStyle({ size: 'small' })}>
          Report Priority
        </Link>
      }
    >
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-5">
        {figures.map(([term, value]) => (
          <div key={term}>
            <dt className="text-sm text-muted">{term}</dt>
            <dd className="text-xl font-medium tracking-tight tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
