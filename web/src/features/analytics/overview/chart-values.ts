import type { Analytics } from '@bancone/contract/analytics'
import {
  type AnalyticsColumn,
  orderColumns,
  runningPoint,
  viewColumns,
} from '@bancone/contract/analytics-tables'
import type { ChartPoint, ChartSeries } from '../../../ui/charts/chart-data.ts'
import { bucketTexts } from '../texts/day-texts.ts'

type ChartValues = { series: ChartSeries[]; points: ChartPoint[] }

function valuesOf(analytics: Analytics, columns: readonly AnalyticsColumn[]): ChartValues {
  const running = runningPoint(analytics)
  return {
    series: columns.map(({ values: _, ...series }) => series),
    points: bucketTexts(analytics).map((text, i) => ({
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
