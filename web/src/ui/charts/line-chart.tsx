import { ChartAxes } from './chart-axes.tsx'
import {
  type ChartNote,
  type ChartPoint,
  type ChartSeries,
  type ChartTexts,
  tableOf,
} from './chart-data.ts'
import { ChartFigure, ChartLegend } from './chart-figure.tsx'
import { ChartPlot, rowReadout } from './chart-plot.tsx'
import { type Plot, plotOf } from './chart-scale.ts'
import { theme } from './chart-theme.ts'
import { LineMark, lineStyle, SeriesLine } from './line-marks.tsx'
import { useChart } from './use-chart.ts'

const HEIGHT = 240

/** The most notes below a chart. The table has all of them. */
const LISTED_NOTES = 5

type LineChartProps = ChartTexts & {
  /** What a point is, for example 'Giorno': the head of the table's first column. */
  pointName: string
  /** One to three, and the period before. */
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  notes?: readonly ChartNote[]
  /** List the notes below the picture, which is left out where the page lists them. */
  hasNoteList?: boolean
}

/** Values over time: up to three lines, and one of the period before. */
export function LineChart(props: LineChartProps) {
  const { title, summary, pointName, series, points, notes = [], hasNoteList = true } = props
  const chart = useChart(points.length, points.length - 1)
  const { count, width, shown } = chart
  const max = Math.max(0, ...points.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const plot = plotOf({ width, height: HEIGHT, count, max, inset: 6 })
  const table = tableOf(pointName, series, points, notes)
  const isSingle = series.filter(({ isPrevious }) => !isPrevious).length === 1

  const swatch = (index: number) => (
    <svg aria-hidden width={28} height={12} className="shrink-0">
      <LineMark style={lineStyle(series, index)} />
    </svg>
  )

  return (
    <ChartFigure title={title} summary={summary} table={table}>
      {series.length > 1 ? (
        <ChartLegend names={series.map(({ name }) => name)} swatch={swatch} />
      ) : null}
      <ChartPlot
        title={title}
        chart={chart}
        height={HEIGHT}
        indexAt={plot.indexAt}
        position={(index) => ({ x: plot.x(index), y: plot.top })}
        readout={(index) => rowReadout(table, index, swatch)}
      >
        <ChartAxes plot={plot} points={points} width={width} />
        <Notes notes={notes} plot={plot} />
        {shown === null ? null : (
          <path d={`M${plot.x(shown)} ${plot.top}V${plot.bottom}`} stroke={theme.axis} />
        )}
        {/* The first series is drawn last, on top of the others. */}
        {series
          .map((_, k) => (
            <SeriesLine
              key={k}
              values={points.map(({ values }) => values[k] ?? null)}
              running={points.findIndex(({ isRunning }) => isRunning)}
              style={lineStyle(series, k)}
              plot={plot}
              active={shown}
              hasArea={isSingle && !series[k]?.isPrevious}
            />
          ))
          .reverse()}
      </ChartPlot>
      {hasNoteList && notes.length > 0 ? <NoteList notes={notes} points={points} /> : null}
    </ChartFigure>
  )
}

type NotesProps = { notes: readonly ChartNote[]; plot: Plot }

/** A dotted line at the point of a note, with a diamond on top. */
function Notes({ notes, plot }: NotesProps) {
  return notes.map(({ index }, k) => (
    <g key={k} stroke={theme.axis}>
      <path d={`M${plot.x(index)} ${plot.top}V${plot.bottom}`} strokeDasharray="1 3" />
      <path
        d={`M${plot.x(index)} ${plot.top - 11}l5 5l-5 5l-5-5z`}
        fill={theme.surface}
        strokeWidth={1.5}
      />
    </g>
  ))
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
