import type { Analytics } from '@bancone/contract/analytics'
import { pointNames, pointNotes } from '@bancone/contract/analytics-tables'
import type { Day } from '@bancone/contract/dates'
import { LineChart } from '../../../ui/charts/line-chart.tsx'
import { viewsSentence } from '../texts/overview-sentences.ts'
import type { OfPeriod } from '../use-of-period.ts'
import { viewValues } from './chart-values.ts'

type ViewsChartProps = {
  shown: OfPeriod<Analytics>
  today: Day
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
      {...viewValues(data)}
    />
  )
}
