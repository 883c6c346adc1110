import { useId } from 'react'
import { ChartAxes } from './chart-axes.tsx'
import {
  type ChartPoint,
  type ChartSeries,
  type ChartTable,
  type ChartTexts,
  sumOf,
  tableOf,
  valueText,
} from './chart-data.ts'
import { ChartFigure, ChartLegend } from './chart-figure.tsx'
import { ChartPlot, rowReadout } from './chart-plot.tsx'
import { type Plot, plotOf } from './chart-scale.ts'
import { theme } from './chart-theme.ts'
import { useChart } from './use-chart.ts'

const HEIGHT = 240
const MAX_BAR = 40
/** Narrower bands have bars without a space and an outline. In px. */
const MIN_BAND = 5

type StackedBarChartProps = ChartTexts & {
  /** What a point is, for example 'Giorno': the head of the table's first column. */
  pointName: string
  /** Up to five, from the bottom. */
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
}

/** Parts of a whole over time. Tooltip and table also give the sum. */
export function StackedBarChart(props: StackedBarChartProps) {
  const { title, summary, pointName, series, points } = props
  const id = useId()
  const chart = useChart(points.length, points.length - 1)
  const { count, width, shown } = chart
  const max = Math.max(0, ...points.map(({ values }) => sumOf(values) ?? 0))
  const plot = plotOf({ width, height: HEIGHT, count, max })
  const table = withSums(tableOf(pointName, series, points), points)

  const swatch = (index: number) => (
    <svg aria-hidden width={12} height={12} className="shrink-0">
      {index < series.length ? (
        <rect x={0.5} y={0.5} width={11} height={11} {...barPaint(id, index)} />
      ) : null}
    </svg>
  )

  return (
    <ChartFigure title={title} summary={summary} table={table}>
      <ChartLegend names={series.map(({ name }) => name)} swatch={swatch} />
      <ChartPlot
        title={title}
        chart={chart}
        height={HEIGHT}
        indexAt={plot.indexAt}
        position={(index) => ({ x: plot.x(index), y: plot.top })}
        readout={(index) => rowReadout(table, index, swatch)}
      >
        <BarPatterns id={id} />
        <ChartAxes plot={plot} points={points} width={width} />
        {shown === null ? null : <Band x={plot.x(shown)} plot={plot} />}
        {points.map((point, i) => (
          <Bar key={i} id={id} point={point} x={plot.x(i)} plot={plot} />
        ))}
      </ChartPlot>
    </ChartFigure>
  )
}

function withSums({ head, columns, rows }: ChartTable, points: readonly ChartPoint[]): ChartTable {
  return {
    head,
    columns: [...columns, 'Totale'],
    rows: rows.map((row, i) => ({
      ...row,
      cells: [...row.cells, valueText(sumOf(points[i]?.values ?? []))],
    })),
  }
}

/** Width for a bar with the space around it. */
const bandOf = ({ step, left, right }: Plot) => step || right - left

/** The ground of the bar whose values are shown; a rule where the bars are thin. */
function Band({ x, plot }: { x: number; plot: Plot }) {
  const { top, bottom } = plot
  const band = bandOf(plot)
  if (band < MIN_BAND) return <path d={`M${x} ${top}V${bottom}`} stroke={theme.axis} />
  const width = Math.min(band, MAX_BAR * 1.5)
  const paint = { fill: theme.line, fillOpacity: 0.6 }
  return <rect x={x - width / 2} y={top} width={width} height={bottom - top} {...paint} />
}

type BarProps = { id: string; point: ChartPoint; x: number; plot: Plot }

/** Paler where its time has not ended. */
function Bar({ id, point: { values, isRunning }, x, plot }: BarProps) {
  const band = bandOf(plot)
  // Without a space between them where they would be too thin to be seen.
  const isThin = band < MIN_BAND
  const width = isThin ? band : Math.min(MAX_BAR, band * 0.7)
  let below = 0
  return values.map((value, k) => {
    if (!value) return null
    const bottom = plot.y(below)
    below += value
    const top = plot.y(below)
    return (
      <rect
        key={k}
        x={x - width / 2}
        y={top}
        width={width}
        height={bottom - top}
        {...barPaint(id, k)}
        fillOpacity={isRunning ? 0.6 : undefined}
        {...(isThin ? { stroke: 'none', shapeRendering: 'crispEdges' } : {})}
      />
    )
  })
}

/** `id` is the one of the patterns. */
function barPaint(id: string, index: number) {
  const color = theme.series[index]
  return { fill: index === 0 ? color : `url(#${id}-${index})`, stroke: color }
}

/** Side of a tile, in px. */
const TILE = 6

/** Strokes on a tile: diagonals, dots, horizontal lines, a grid. The first series is solid. */
const strokes = [
  '',
  'M-1 1l2-2M0 6l6-6M5 7l2-2',
  'M1.5 1.5h.01M4.5 4.5h.01',
  'M0 1.5h6M0 4.5h6',
  'M0 3h6M3 0v6',
]

/** Patterns that tell series apart without their colours. They go on from a bar to the next. */
function BarPatterns({ id }: { id: string }) {
  return (
    <defs>
      {strokes.map((d, index) =>
        index === 0 ? null : (
          <pattern
            key={index}
            id={`${id}-${index}`}
            width={TILE}
            height={TILE}
            patternUnits="userSpaceOnUse"
            stroke={theme.series[index]}
            strokeWidth={index === 2 ? 2.2 : 1.6}
            strokeLinecap={index === 2 ? 'round' : undefined}
          >
            <rect
              width={TILE}
              height={TILE}
              stroke="none"
              fill={theme.series[index]}
              fillOpacity={0.18}
            />
            <path d={d} />
          </pattern>
        ),
      )}
    </defs>
  )
}
