import { hasFeature } from '@bancone/contract/access'
import type { Analytics } from '@bancone/contract/analytics'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { OrdersChart } from '../overview/orders-chart.tsx'
import type { AnalyticsPeriod } from '../period/analytics-address.ts'
import { ShownFigures } from '../shown-figures.tsx'
import { useOrderAnalytics } from '../use-analytics.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { Arrivals } from './arrivals.tsx'
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
        {({ data: { waits, priority }, period: of }) => (
          <>
            <WaitsSection waits={waits} />
            {priority !== null && hasFeature(pharmacy, 'priority_access') ? (
              <Arrivals report={priority} period={of} updatedAt={shown.data.updatedAt} />
            ) : null}
          </>
        )}
      </ShownFigures>
    </>
  )
}
