import { ChartAxes } from './chart-axes.tsx'
import type { ChartNote, ChartPoint, ChartSeries } from './chart-data.ts'
import { type Plot, plotOf } from './chart-scale.ts'
import { type ChartTheme, FONT_SIZE, PAGE_THEME } from './chart-theme.ts'
import { LineMark, lineStyle, SeriesLine } from './line-marks.tsx'

/** The height of a line chart without its legend, in px. */
export const LINE_HEIGHT = 240

const LEGEND_ROW = 20

export type LineData = {
  /** One to three, and the period before. */
  series: readonly ChartSeries[]
  points: readonly ChartPoint[]
  notes?: readonly ChartNote[]
}

type LineChartSvgProps = LineData & {
  /** In px. */
  width: number
  theme?: ChartTheme
  /** Index of the point whose values are shown. */
  active?: number | null
  /** Names the series inside the picture. */
  withLegend?: boolean
}

export function linePlot({ points }: LineData, width: number): Plot {
  const values = points.flatMap((point) => point.values.map((value) => value ?? 0))
  const max = Math.max(0, ...values)
  return plotOf({ width, height: LINE_HEIGHT, count: points.length, max, inset: 6 })
}

/**
 * The drawing of a line chart. It has no state and needs no style sheet: with `LIGHT_THEME` and `withLegend`,
 * `renderToStaticMarkup` makes a complete SVG document of it.
 */
export function LineChartSvg(props: LineChartSvgProps) {
  const { series, points, notes = [], width, theme = PAGE_THEME, active = null } = props
  const plot = linePlot(props, width)
  const legend = props.withLegend ? series.length * LEGEND_ROW : 0
  const height = LINE_HEIGHT + legend
  // The first series is drawn last, on top of the others.
  const drawn = series.map((_, k) => k).reverse()
  const isSingle = series.filter(({ isPrevious }) => !isPrevious).length === 1
  return (
    <svg
      xmlns="http://www.w3.org/2000/svg"
      aria-hidden
      className="block h-auto w-full tabular-nums"
      width={width}
      height={height}
      viewBox={`0 ${-legend} ${width} ${height}`}
      fontSize={FONT_SIZE}
      fontFamily={theme.font}
    >
      {props.withLegend ? <Legend series={series} theme={theme} top={-legend} /> : null}
      <ChartAxes
        plot={plot}
        labels={points.map(({ label }) => label)}
        width={width}
        theme={theme}
      />
      <Notes notes={notes} plot={plot} theme={theme} />
      {active === null ? null : (
        <path d={`M${plot.x(active)} ${plot.top}V${plot.bottom}`} stroke={theme.axis} />
      )}
      {drawn.map((k) => (
        <SeriesLine
          key={k}
          values={points.map(({ values }) => values[k] ?? null)}
          running={points.findIndex(({ isRunning }) => isRunning)}
          style={lineStyle(series, k, theme)}
          plot={plot}
          active={active}
          hasArea={isSingle && !series[k]?.isPrevious}
        />
      ))}
    </svg>
  )
}

type NotesProps = { notes: readonly ChartNote[]; plot: Plot; theme: ChartTheme }

/** A dotted line at the point of a note, with a diamond on top. */
function Notes({ notes, plot, theme }: NotesProps) {
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

type LegendProps = { series: readonly ChartSeries[]; theme: ChartTheme; top: number }

function Legend({ series, theme, top }: LegendProps) {
  return series.map(({ name }, k) => (
    <g key={k} transform={`translate(0 ${top + 4 + k * LEGEND_ROW})`}>
      <LineMark style={lineStyle(series, k, theme)} />
      <text x={32} y={6} dy="0.35em" fill={theme.text}>
        {name}
      </text>
    </g>
  ))
}
