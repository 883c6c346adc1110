import type { ChartSeries } from './chart-data.ts'
import type { Plot } from './chart-scale.ts'
import { theme } from './chart-theme.ts'

/** Points closer than `NARROW` have no marker each, but one about every `MARKER_DISTANCE`. In px. */
const NARROW = 14
const MARKER_DISTANCE = 48

/** Circle, square, triangle: paths around 0, 0. */
const markers = ['M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z', 'M-3-3h6v6h-6z', 'M0-4l4 7h-8z']
const dashes = [undefined, '7 4', '2 3']

/** How a series is told from the others, also without its colour. */
type LineStyle = {
  color: string
  /** `stroke-dasharray`. */
  dash: string | undefined
  /** Path of the marker; undefined for lines without markers. */
  marker: string | undefined
  lineWidth: number
}

/** The style of the series with an index. The period before is no further series: it is grey, thin and dashed. */
export function lineStyle(series: readonly ChartSeries[], index: number): LineStyle {
  if (series[index]?.isPrevious) {
    return { color: theme.text, dash: '4 4', marker: undefined, lineWidth: 1.25 }
  }
  const k = series.slice(0, index).filter(({ isPrevious }) => !isPrevious).length
  return {
    color: theme.series[k] ?? theme.text,
    dash: dashes[k],
    marker: markers[k],
    lineWidth: 2,
  }
}

/** A piece of the line, 28 × 12 px, for legends. */
export function LineMark({ style: { color, dash, marker, lineWidth } }: { style: LineStyle }) {
  return (
    <g stroke={color} strokeWidth={lineWidth}>
      <path d="M0 6H28" strokeDasharray={dash} />
      {marker ? <path d={marker} transform="translate(14 6)" fill={color} stroke="none" /> : null}
    </g>
  )
}

type SeriesLineProps = {
  values: readonly (number | null)[]
  style: LineStyle
  plot: Plot
  active: number | null
  /** Index of the point whose time has not ended; -1 for none. */
  running: number
  /** Fills the area below, faintly. */
  hasArea: boolean
}

/** A line with a gap wherever a value is unknown. To a point whose time has not ended it is dotted, with a hollow marker. */
export function SeriesLine({ values, style, plot, active, running, hasArea }: SeriesLineProps) {
  const { color, dash, marker, lineWidth } = style
  const pieces = knownPieces(values)
  const at = (i: number) => `${round(plot.x(i))} ${round(plot.y(values[i] ?? 0))}`
  const every = plot.step >= NARROW ? 1 : Math.ceil(MARKER_DISTANCE / plot.step)
  const dots = pieces.flatMap((piece) =>
    // A value between two gaps has no line, and would not be seen without a marker.
    piece.filter((i) => piece.length === 1 || (marker && (i % every === 0 || i === running))),
  )
  return (
    <g stroke={color} strokeLinejoin="round">
      {pieces.map((piece) => {
        const line = `M${piece.map(at).join('L')}`
        const [first = 0] = piece
        const last = piece.at(-1) ?? 0
        const isDotted = last === running && piece.length > 1 && marker !== undefined
        return (
          <g key={first} fill="none">
            {hasArea ? (
              <path
                d={`${line}L${round(plot.x(last))} ${plot.bottom}H${round(plot.x(first))}z`}
                fill={color}
                fillOpacity={0.08}
                stroke="none"
              />
            ) : null}
            <path
              d={`M${piece
                .filter((i) => !isDotted || i !== running)
                .map(at)
                .join('L')}`}
              strokeWidth={lineWidth}
              strokeDasharray={dash}
            />
            {isDotted ? (
              <path
                d={`M${at(running - 1)}L${at(running)}`}
                strokeWidth={lineWidth}
                strokeDasharray="1 4"
                strokeLinecap="round"
              />
            ) : null}
          </g>
        )
      })}
      {dots.map((i) => (
        <path
          key={i}
          d={marker ?? markers[0]}
          transform={`translate(${at(i)})`}
          {...(i === running && marker
            ? { fill: theme.surface, strokeWidth: 1.5 }
            : { fill: color, stroke: theme.surface })}
        />
      ))}
      {active !== null && typeof values[active] === 'number' ? (
        <path
          d={marker ?? markers[0]}
          transform={`translate(${at(active)}) scale(1.5)`}
          fill={color}
          stroke={theme.surface}
        />
      ) : null}
    </g>
  )
}

/** Runs of neighbouring indexes whose values are known. */
function knownPieces(values: readonly (number | null)[]): number[][] {
  const pieces: number[][] = []
  let piece: number[] = []
  for (const [i, value] of values.entries()) {
    if (value === null) piece = []
    else if (piece.push(i) === 1) pieces.push(piece)
  }
  return pieces
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
