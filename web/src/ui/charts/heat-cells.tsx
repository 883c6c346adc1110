import { formatNumber } from '../../lib/format.ts'
import { PAGE_THEME } from './chart-theme.ts'

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
export function HeatCell({ x, y, width, height, value, max, isActive = false }: HeatCellProps) {
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
          fill={PAGE_THEME.series[0]}
          fillOpacity={0.07}
        />
      )}
      {level === 0 ? null : (
        <rect
          x={x + (width - inner.width) / 2}
          y={y + (height - inner.height) / 2}
          {...inner}
          rx={2}
          fill={PAGE_THEME.series[0]}
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
export function HeatLegend({ max }: { max: number }) {
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
