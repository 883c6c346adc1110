import type { Analytics, ArrivalPoint } from '@bancone/contract/analytics'
import {
  type AnalyticsColumn,
  arrivalColumns,
  orderColumns,
  runningPoint,
  viewColumns,
} from '@bancone/contract/analytics-tables'
import type { ChartPoint, ChartSeries } from '../../../ui/charts/chart-data.ts'
import { bucketTexts } from '../texts/day-texts.ts'

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

/** Views and visitors, and the views of the compared period. */
export const viewValues = (analytics: Analytics) => valuesOf(analytics, viewColumns(analytics))

/** Orders by their status. */
export const orderValues = (analytics: Analytics) => valuesOf(analytics, orderColumns(analytics))

/** Arrivals with priority access, at their own points. */
export const arrivalValues = (timed: Omit<Timed, 'points'>, points: readonly ArrivalPoint[]) =>
  valuesOf({ ...timed, points }, arrivalColumns(points))
