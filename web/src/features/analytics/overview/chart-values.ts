import type { Analytics, AnalyticsPoint } from '@bancone/contract/analytics'
import { dayOf } from '@bancone/contract/dates'
import type { ChartNote, ChartPoint, ChartSeries } from '../../../ui/charts/chart-data.ts'
import { bucketTexts } from '../texts/day-texts.ts'
import type { ComparisonTexts } from '../texts/percent-texts.ts'

/** What a point of a chart is called in its table. */
export const pointNames: Record<Analytics['bucket'], string> = {
  hour: 'Ora',
  day: 'Giorno',
  month: 'Mese',
}

/** Null for what is still to come. */
function known(analytics: Analytics, value: (point: AnalyticsPoint) => number | null) {
  const { points, updatedAt } = analytics
  const now = Date.parse(updatedAt)
  return points.map((point) => (Date.parse(point.at) > now ? null : value(point)))
}

type ChartValues = { series: ChartSeries[]; points: ChartPoint[] }

function valuesOf(
  analytics: Analytics,
  columns: readonly (ChartSeries & { values: readonly (number | null)[] })[],
): ChartValues {
  return {
    series: columns.map(({ values: _, ...series }) => series),
    points: bucketTexts(analytics).map((text, i) => ({
      ...text,
      values: columns.map(({ values }) => values[i] ?? null),
    })),
  }
}

/** Views, visitors where they are known, and the views of the compared period, paired by their position. */
export function viewValues(analytics: Analytics, comparison: ComparisonTexts): ChartValues {
  const { bucket, previous, previousPoints } = analytics
  const visitors = known(analytics, ({ uniqueVisitors }) => uniqueVisitors)
  return valuesOf(analytics, [
    { name: 'Visualizzazioni', values: known(analytics, ({ views }) => views) },
    ...(bucket === 'day' ? [{ name: 'Visitatori', values: visitors }] : []),
    ...(previous === null
      ? []
      : [
          {
            name: comparison.line,
            isPrevious: true,
            values: previousPoints.map(({ views }) => views),
          },
        ]),
  ])
}

/** Orders by their status. The booked ones are among the completed ones, and shown apart from them. */
export function orderValues(analytics: Analytics): ChartValues {
  return valuesOf(analytics, [
    {
      name: 'Confermati',
      values: known(analytics, ({ completed, processing }) => completed - processing),
    },
    { name: 'Prenotati', values: known(analytics, ({ processing }) => processing) },
    { name: 'In attesa', values: known(analytics, ({ pending }) => pending) },
    { name: 'Annullati', values: known(analytics, ({ cancelled }) => cancelled) },
  ])
}

/** The notes at the points of their days; none on a single day, whose points are hours. */
export function chartNotes({ bucket, notes, points }: Analytics): ChartNote[] {
  if (bucket === 'hour') return []
  const length = bucket === 'day' ? 10 : 7
  const starts = points.map(({ at }) => dayOf(new Date(at)).slice(0, length))
  return notes.flatMap(({ day, text }) => {
    const index = starts.indexOf(day.slice(0, length))
    return index === -1 ? [] : [{ index, text }]
  })
}
