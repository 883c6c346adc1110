import { formatCompactNumber } from '../../lib/format.ts'
import { type Plot, shownLabels, textWidth } from './chart-scale.ts'
import { theme } from './chart-theme.ts'

type AxesProps = { plot: Plot; points: readonly { label: string }[]; width: number }

/** Grid lines with their numbers, and labels below the plot. */
export function ChartAxes({ plot, points, width }: AxesProps) {
  const { left, right, bottom, ticks, x, y } = plot
  const labels = points.map(({ label }) => label)
  return (
    <g fill={theme.text}>
      {ticks.map((tick) => (
        <g key={tick}>
          <path
            d={`M${left} ${Math.round(y(tick)) + 0.5}H${right}`}
            stroke={tick === 0 ? theme.axis : theme.line}
          />
          <text x={left - 8} y={y(tick)} dy="0.35em" textAnchor="end">
            {formatCompactNumber(tick)}
          </text>
        </g>
      ))}
      {shownLabels(labels, right - left).map((index) => {
        const label = labels[index] ?? ''
        // Labels at the edges stay inside the picture.
        const half = textWidth(label) / 2
        const at = Math.min(width - half, Math.max(half, x(index)))
        return (
          <text key={index} x={at} y={bottom + 18} textAnchor="middle">
            {label}
          </text>
        )
      })}
    </g>
  )
}
