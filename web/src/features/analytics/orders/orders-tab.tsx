import { hasFeature } from '@bancone/contract/access'
import type { Analytics, OrderAnalytics } from '@bancone/contract/analytics'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { formatNumber } from '../../../lib/format.ts'
import { busyHours, hourRange } from '../../../lib/hours.ts'
import type { AnalyticsPeriod } from '../analytics-address.ts'
import { OrdersChart } from '../overview/charts.tsx'
import { Figures, Section } from '../section.tsx'
import { ShownFigures } from '../shown-figures.tsx'
import { shortWaitText, waitsSentence } from '../texts/order-sentences.ts'
import { type OfPeriod, useOrderAnalytics } from '../use-analytics.ts'
import { Arrivals } from './arrivals.tsx'
import { PickupSection } from './pickup-section.tsx'

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
        {({ data: { waits, pickups, priority }, period: of }) => (
          <>
            <WaitsSection waits={waits} />
            <PickupSection pickups={pickups} isOwner={pharmacy.role === 'owner'} />
            {priority !== null && hasFeature(pharmacy, 'priority_access') ? (
              <Arrivals report={priority} period={of} updatedAt={shown.data.updatedAt} />
            ) : null}
          </>
        )}
      </ShownFigures>
    </>
  )
}

/** How long orders wait until they are confirmed, by the hour at which they came. The bars repeat the numbers. */
function WaitsSection({ waits }: { waits: OrderAnalytics['waits'] }) {
  const hours = busyHours(waits.hours, ({ confirmed }) => confirmed > 0)
  const longest = Math.max(1, ...hours.map(({ medianMinutes }) => medianMinutes ?? 0))
  return (
    <Section title="Attesa fino alla conferma" summary={waitsSentence(waits)}>
      {hours.length === 0 ? null : (
        <>
          <Figures
            className="flex flex-wrap gap-x-8 gap-y-3"
            figures={[
              ['Ordini confermati', formatNumber(waits.confirmed)],
              ['Attesa mediana', shortWaitText(waits.medianMinutes)],
              ['90° percentile', shortWaitText(waits.p90Minutes)],
            ]}
          />
          <table className="w-full text-left text-sm">
            <caption className="sr-only">Attesa fino alla conferma, per ora di arrivo</caption>
            <thead className="text-xs text-muted">
              <tr>
                <th scope="col" className="w-14 pb-1 font-medium sm:w-20">
                  Ora
                </th>
                <th scope="col" className="pb-1 font-medium">
                  Attesa mediana
                </th>
                <th scope="col" className="w-24 pb-1 text-right font-medium">
                  Confermati
                </th>
              </tr>
            </thead>
            <tbody>
              {hours.map(({ hour, confirmed, medianMinutes }) => (
                <tr key={hour}>
                  <th scope="row" className="border-t border-line py-1.5 font-normal tabular-nums">
                    {hourRange(hour)}
                  </th>
                  <td className="relative border-t border-line py-1.5 tabular-nums">
                    {shortWaitText(medianMinutes)}
                    <span
                      aria-hidden
                      className="absolute top-1/2 left-20 h-2.5 -translate-y-1/2 rounded-full bg-(--c-chart-1)"
                      style={{
                        width: `calc((100% - 5rem) * ${(medianMinutes ?? 0) / longest})`,
                      }}
                    />
                  </td>
                  <td className="border-t border-line py-1.5 text-right tabular-nums">
                    {formatNumber(confirmed)}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
    </Section>
  )
}
