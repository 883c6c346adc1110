import type { Analytics } from '@bancone/contract/analytics'
import type { Day } from '@bancone/contract/dates'
import { StackedBarChart } from '../../../ui/charts/stacked-bar-chart.tsx'
import { ordersSentence } from '../texts/overview-sentences.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { orderValues, pointNames } from './chart-values.ts'

/** The orders of a period by their status. */
export function OrdersChart({ shown, today }: { shown: OfPeriod<Analytics>; today: Day }) {
  const { data } = shown
  return (
    <StackedBarChart
      title="Ordini per stato"
      summary={ordersSentence(shown, today)}
      pointName={pointNames[data.bucket]}
      {...orderValues(data)}
    />
  )
}
