import type { Analytics, ArrivalPoint } from '@bancone/contract/analytics'
import {
  type AnalyticsColumn,
  arrivalColumns,
  orderColumns,
  pointNames,
  pointNotes,
  runningPoint,
  viewColumns,
} from '@bancone/contract/analytics-tables'
import type { Day } from '@bancone/contract/dates'
import type { ChartPoint, ChartSeries } from '../../../ui/charts/chart-data.ts'
import { LineChart } from '../../../ui/charts/line-chart.tsx'
import { StackedBarChart } from '../../../ui/charts/stacked-bar-chart.tsx'
import { bucketTexts } from '../texts/day-texts.ts'
import { ordersSentence, viewsSentence } from '../texts/overview-sentences.ts'
import type { OfPeriod } from '../use-analytics.ts'

type ChartProps = { shown: OfPeriod<Analytics>; today: Day }

type ViewsChartProps = ChartProps & {
  /** List the notes below the chart, where the page does not. */
  hasNoteList: boolean
}

/** The views of a period, with its notes, beside those of the compared one. */
export function ViewsChart({ shown, today, hasNoteList }: ViewsChartProps) {
  const { data } = shown
  return (
    <LineChart
      title="Visualizzazioni"
      summary={viewsSentence(shown, today)}
      pointName={pointNames[data.bucket]}
      notes={pointNotes(data)}
      hasNoteList={hasNoteList}
      {...valuesOf(data, viewColumns(data))}
    />
  )
}

/** The orders of a period by their status. */
export function OrdersChart({ shown, today }: ChartProps) {
  const { data } = shown
  return (
    <StackedBarChart
      title="Ordini per stato"
      summary={ordersSentence(shown, today)}
      pointName={pointNames[data.bucket]}
      {...valuesOf(data, orderColumns(data))}
    />
  )
}

type ChartValues = { series: ChartSeries[]; points: ChartPoint[] }

type Timed = Pick<Analytics, 'bucket' | 'period' | 'updatedAt'> & {
  points: readonly { at: string }[]
}

function valuesOf(timed: Timed, columns: readonly AnalyticsColumn[]): ChartValues {
  const running = runningPoint(timed)
  return {
    series: columns.map(({ values: _, ...series }) => series),
    points: bucketTexts(timed).map((text, i) => ({
      ...text,
      ...(i === running && { longLabel: `${text.longLabel}, in corso`, isRunning: true }),
      values: columns.map(({ values }) => values[i] ?? null),
    })),
  }
}

/** Arrivals with priority access, at their own points. */
export const arrivalValues = (timed: Omit<Timed, 'points'>, points: readonly ArrivalPoint[]) =>
  valuesOf({ ...timed, points }, arrivalColumns(points))
