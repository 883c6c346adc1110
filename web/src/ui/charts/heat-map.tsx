import { formatNumber } from '../../lib/format.ts'
import { hourRange, weekdays } from '../../lib/hours.ts'
import { type ChartPoint, type ChartTexts, tableOf, valueText } from './chart-data.ts'
import { ChartFigure } from './chart-figure.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { theme } from './chart-theme.ts'
import { useChart } from './use-chart.ts'

const HOURS = 24
/** Between the labels of hours. */
const HOURS_APART = 3
const LEFT = 36
const ROW = 24
const HEIGHT = weekdays.length * ROW + 22

type HeatMapProps = ChartTexts & {
  /** What is counted, for example 'Visite'. */
  valueName: string
  /** Seven lists, Monday first, of 24 values, from the hour after midnight; null where unknown. */
  values: readonly (readonly (number | null)[])[]
}

/** A week in hours. The table has a row for each hour and a column for each day. */
export function HeatMap({ title, summary, valueName, values }: HeatMapProps) {
  const chart = useChart(weekdays.length * HOURS, 0)
  const { count, width } = chart
  const cell = (width - LEFT) / HOURS
  const max = Math.max(0, ...values.flat().map((value) => value ?? 0))
  const places = Array.from({ length: count }, (_, index) => {
    const day = Math.floor(index / HOURS)
    const hour = index % HOURS
    return { x: LEFT + hour * cell, y: day * ROW, value: values[day]?.[hour] ?? null }
  })
  const points: ChartPoint[] = Array.from({ length: HOURS }, (_, hour) => ({
    label: hourRange(hour),
    longLabel: hourRange(hour),
    values: weekdays.map((_day, day) => values[day]?.[hour] ?? null),
  }))
  const table = tableOf(
    'Ora',
    weekdays.map((name) => ({ name })),
    points,
  )

  function indexAt(x: number, y: number): number | null {
    const hour = Math.floor((x - LEFT) / cell)
    const day = Math.floor(y / ROW)
    const isInside = hour >= 0 && hour < HOURS && day >= 0 && day < weekdays.length
    return isInside ? day * HOURS + hour : null
  }

  return (
    <ChartFigure title={title} summary={summary} table={table}>
      <ChartPlot
        title={title}
        chart={chart}
        rowLength={HOURS}
        height={HEIGHT}
        indexAt={indexAt}
        position={(index) => ({
          x: (places[index]?.x ?? 0) + cell / 2,
          y: (places[index]?.y ?? 0) + ROW,
        })}
        readout={(index) => ({
          title: `${weekdays[Math.floor(index / HOURS)]}, ${hourRange(index % HOURS)}`,
          lines: [{ name: valueName, text: valueText(places[index]?.value) }],
        })}
      >
        <g fill={theme.text}>
          {weekdays.map((name, day) => (
            <text key={name} x={0} y={day * ROW + ROW / 2} dy="0.35em">
              {name.slice(0, 3)}
            </text>
          ))}
          {points.map(({ label }, hour) =>
            hour % HOURS_APART === 0 ? (
              <text key={label} x={LEFT + hour * cell} y={HEIGHT - 4}>
                {hour}
              </text>
            ) : null,
          )}
        </g>
        {places.map((place, index) => (
          <HeatCell
            key={index}
            {...place}
            width={cell}
            height={ROW}
            max={max}
            isActive={index === chart.shown}
          />
        ))}
      </ChartPlot>
      {max > 0 ? <HeatLegend max={max} /> : null}
    </ChartFigure>
  )
}

/** Levels above zero. */
const LEVELS = 4

type HeatCellProps = {
  x: number
  y: number
  width: number
  height: number
  value: number | null
  /** The largest value of the map. */
  max: number
  isActive?: boolean
}

/** A larger value is a darker and larger field, so that it is told from others on paper, too. */
function HeatCell({ x, y, width, height, value, max, isActive = false }: HeatCellProps) {
  const level = value === null || max === 0 ? 0 : Math.ceil((value / max) * LEVELS)
  const side = level === 0 ? 1 : 0.4 + (0.6 * level) / LEVELS
  const inner = { width: (width - 2) * side, height: (height - 2) * side }
  return (
    <g>
      {value === null ? null : (
        <rect
          x={x + 1}
          y={y + 1}
          width={width - 2}
          height={height - 2}
          rx={2}
          fill={theme.series[0]}
          fillOpacity={0.07}
        />
      )}
      {level === 0 ? null : (
        <rect
          x={x + (width - inner.width) / 2}
          y={y + (height - inner.height) / 2}
          {...inner}
          rx={2}
          fill={theme.series[0]}
          fillOpacity={0.25 + (0.75 * level) / LEVELS}
        />
      )}
      {isActive ? (
        <rect
          x={x}
          y={y}
          width={width}
          height={height}
          rx={3}
          fill="none"
          stroke="var(--c-ink)"
          strokeWidth={2}
        />
      ) : null}
    </g>
  )
}

/** The fields from none to the largest value. */
function HeatLegend({ max }: { max: number }) {
  const side = 14
  return (
    <p aria-hidden className="flex items-center gap-2 text-xs text-muted tabular-nums">
      0
      <svg width={side * (LEVELS + 1)} height={side}>
        {Array.from({ length: LEVELS + 1 }, (_, level) => (
          <HeatCell
            key={level}
            x={level * side}
            y={0}
            width={side}
            height={side}
            value={level}
            max={LEVELS}
          />
        ))}
      </svg>
      {formatNumber(max)}
    </p>
  )
}
