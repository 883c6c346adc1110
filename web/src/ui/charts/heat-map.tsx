import { useRef } from 'react'
import { type ChartPoint, type ChartTexts, tableOf, valueText } from './chart-data.ts'
import { ChartFigure } from './chart-figure.tsx'
import { ChartPlot } from './chart-plot.tsx'
import { FONT_SIZE, PAGE_THEME } from './chart-theme.ts'
import { HeatCell, HeatLegend } from './heat-cells.tsx'
import { useChartCursor } from './use-chart-cursor.ts'
import { useDrawnWidth } from './use-drawn-width.ts'

const DAYS = ['Lunedì', 'Martedì', 'Mercoledì', 'Giovedì', 'Venerdì', 'Sabato', 'Domenica']
const HOURS = 24
/** Between the labels of hours. */
const HOURS_APART = 3
const LEFT = 36
const ROW = 24
const HEIGHT = DAYS.length * ROW + 22

type HeatMapProps = ChartTexts & {
  /** What is counted, for example 'Visite'. */
  valueName: string
  /** Seven lists, Monday first, of 24 values, from the hour after midnight; null where unknown. */
  values: readonly (readonly (number | null)[])[]
}

/** A week in hours. The table has a row for each hour and a column for each day. */
export function HeatMap({ title, summary, valueName, values }: HeatMapProps) {
  const box = useRef<HTMLDivElement>(null)
  const width = useDrawnWidth(box)
  const count = DAYS.length * HOURS
  const cursor = useChartCursor({ box, count, start: 0 })
  const cell = (width - LEFT) / HOURS
  const max = Math.max(0, ...values.flat().map((value) => value ?? 0))
  const places = Array.from({ length: count }, (_, index) => {
    const day = Math.floor(index / HOURS)
    const hour = index % HOURS
    return { x: LEFT + hour * cell, y: day * ROW, value: values[day]?.[hour] ?? null }
  })
  const points: ChartPoint[] = Array.from({ length: HOURS }, (_, hour) => ({
    label: hourText(hour),
    longLabel: hourText(hour),
    values: DAYS.map((_day, day) => values[day]?.[hour] ?? null),
  }))
  const table = tableOf(
    'Ora',
    DAYS.map((name) => ({ name })),
    points,
  )

  function indexAt(x: number, y: number): number | null {
    const hour = Math.floor((x - LEFT) / cell)
    const day = Math.floor(y / ROW)
    const isInside = hour >= 0 && hour < HOURS && day >= 0 && day < DAYS.length
    return isInside ? day * HOURS + hour : null
  }

  return (
    <ChartFigure title={title} summary={summary} table={table}>
      <ChartPlot
        title={title}
        box={box}
        cursor={cursor}
        count={count}
        rowLength={HOURS}
        width={width}
        height={HEIGHT}
        indexAt={indexAt}
        position={(index) => ({
          x: (places[index]?.x ?? 0) + cell / 2,
          y: (places[index]?.y ?? 0) + ROW,
        })}
        readout={(index) => ({
          title: `${DAYS[Math.floor(index / HOURS)]}, ${hourText(index % HOURS)}`,
          lines: [{ name: valueName, text: valueText(places[index]?.value) }],
        })}
      >
        <svg
          aria-hidden
          className="block h-auto w-full tabular-nums"
          viewBox={`0 0 ${width} ${HEIGHT}`}
          fontSize={FONT_SIZE}
        >
          <g fill={PAGE_THEME.text}>
            {DAYS.map((name, day) => (
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
              isActive={index === cursor.shown}
            />
          ))}
        </svg>
      </ChartPlot>
      {max > 0 ? <HeatLegend max={max} /> : null}
    </ChartFigure>
  )
}

/** '08–09'. */
function hourText(hour: number): string {
  const text = (h: number) => `${h}`.padStart(2, '0')
  return `${text(hour)}–${text(hour + 1)}`
}
