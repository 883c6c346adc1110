import { useId, useRef } from 'react'
import { BarPatterns, barFill } from './bar-patterns.tsx'
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
import { FONT_SIZE, PAGE_THEME } from './chart-theme.ts'
import { useChartCursor } from './use-chart-cursor.ts'
import { useDrawnWidth } from './use-drawn-width.ts'

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
  const box = useRef<HTMLDivElement>(null)
  const width = useDrawnWidth(box)
  const count = points.length
  const cursor = useChartCursor({ box, count, start: count - 1 })
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
        box={box}
        cursor={cursor}
        count={count}
        width={width}
        height={HEIGHT}
        indexAt={plot.indexAt}
        position={(index) => ({ x: plot.x(index), y: plot.top })}
        readout={(index) => rowReadout(table, index, swatch)}
      >
        <svg
          aria-hidden
          className="block h-auto w-full tabular-nums"
          viewBox={`0 0 ${width} ${HEIGHT}`}
          fontSize={FONT_SIZE}
        >
          <BarPatterns id={id} />
          <ChartAxes
            plot={plot}
            labels={points.map(({ label }) => label)}
            width={width}
            theme={PAGE_THEME}
          />
          {cursor.shown === null ? null : <Band x={plot.x(cursor.shown)} plot={plot} />}
          {points.map((point, i) => (
            <Bar key={i} id={id} point={point} x={plot.x(i)} plot={plot} />
          ))}
        </svg>
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
  if (band < MIN_BAND) return <path d={`M${x} ${top}V${bottom}`} stroke={PAGE_THEME.axis} />
  const width = Math.min(band, MAX_BAR * 1.5)
  const paint = { fill: PAGE_THEME.line, fillOpacity: 0.6 }
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

function barPaint(id: string, index: number) {
  return { fill: barFill(id, index), stroke: PAGE_THEME.series[index] }
}
