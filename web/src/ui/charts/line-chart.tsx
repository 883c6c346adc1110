import { useRef } from 'react'
import { type ChartNote, type ChartPoint, type ChartTexts, tableOf } from './chart-data.ts'
import { ChartFigure, ChartLegend } from './chart-figure.tsx'
import { ChartPlot, rowReadout } from './chart-plot.tsx'
import { PAGE_THEME } from './chart-theme.ts'
import { LINE_HEIGHT, LineChartSvg, type LineData, linePlot } from './line-chart-svg.tsx'
import { LineMark, lineStyle } from './line-marks.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useDrawnWidth } from './use-drawn-width.ts'

/** The most notes below a chart. The table has all of them. */
const LISTED_NOTES = 5

type LineChartProps = ChartTexts &
  LineData & {
    /** What a point is, for example 'Giorno': the head of the table's first column. */
    pointName: string
    /** List the notes below the picture, which is left out where the page lists them. */
    hasNoteList?: boolean
  }

/** Values over time: up to three lines, and one of the period before. */
export function LineChart(props: LineChartProps) {
  const { title, summary, pointName, series, points, notes = [], hasNoteList = true } = props
  const box = useRef<HTMLDivElement>(null)
  const width = useDrawnWidth(box)
  const cursor = useChartCursor({ box, count: points.length, start: points.length - 1 })
  const plot = linePlot(props, width)
  const table = tableOf(pointName, series, points, notes)

  const swatch = (index: number) => (
    <svg aria-hidden width={28} height={12} className="shrink-0">
      <LineMark style={lineStyle(series, index, PAGE_THEME)} />
    </svg>
  )

  return (
    <ChartFigure title={title} summary={summary} table={table}>
      {series.length > 1 ? (
        <ChartLegend names={series.map(({ name }) => name)} swatch={swatch} />
      ) : null}
      <ChartPlot
        title={title}
        box={box}
        cursor={cursor}
        count={points.length}
        width={width}
        height={LINE_HEIGHT}
        indexAt={plot.indexAt}
        position={(index) => ({ x: plot.x(index), y: plot.top })}
        readout={(index) => rowReadout(table, index, swatch)}
      >
        <LineChartSvg {...props} width={width} active={cursor.shown} />
      </ChartPlot>
      {hasNoteList && notes.length > 0 ? <NoteList notes={notes} points={points} /> : null}
    </ChartFigure>
  )
}

type NoteListProps = { notes: readonly ChartNote[]; points: readonly ChartPoint[] }

function NoteList({ notes, points }: NoteListProps) {
  const more = notes.length - LISTED_NOTES
  return (
    <ul aria-label="Note" className="flex flex-col gap-0.5 text-xs text-muted">
      {notes.slice(0, LISTED_NOTES).map(({ index, text }, k) => (
        <li key={k} className="break-words">
          <span aria-hidden>◇ </span>
          {points[index]?.label}: {text}
        </li>
      ))}
      {more > 0 ? (
        <li>{more === 1 ? "E un'altra nota" : `E altre ${more} note`} nella tabella.</li>
      ) : null}
    </ul>
  )
}
