import { formatNumber } from '../../lib/format.ts'
import type { ChartTexts } from './chart-data.ts'
import { ChartFigure } from './chart-figure.tsx'
import { theme } from './chart-theme.ts'

const percent = new Intl.NumberFormat('it-IT', { style: 'percent', maximumFractionDigits: 1 })

type FunnelChartProps = ChartTexts & {
  /** Three to five. A step can have more than the one before it. */
  steps: readonly { name: string; count: number }[]
}

/**
 * Steps that lead to each other, with the share of each in the one before. All values are written beside the bars, so
 * there is none that mouse or keyboard would have to show.
 */
export function FunnelChart({ title, summary, steps }: FunnelChartProps) {
  const most = Math.max(1, ...steps.map(({ count }) => count))
  const shares = steps.map(({ count }, i) => {
    const before = steps[i - 1]?.count
    return before ? percent.format(count / before) : undefined
  })
  const table = {
    head: 'Passo',
    columns: ['Numero', 'Rispetto al passo precedente'],
    rows: steps.map(({ name, count }, i) => ({
      head: name,
      cells: [formatNumber(count), i === 0 ? '' : (shares[i] ?? 'n/d')],
    })),
  }
  return (
    <ChartFigure title={title} summary={summary} table={table}>
      <ol className="flex flex-col gap-4">
        {steps.map(({ name, count }, i) => (
          <li key={i}>
            <p className="flex items-baseline justify-between gap-4 text-sm">
              <span className="min-w-0 break-words">{name}</span>
              <span className="font-medium tabular-nums">{formatNumber(count)}</span>
            </p>
            <svg aria-hidden width="100%" height={20} className="mt-1 block">
              <rect width="100%" height={20} rx={4} fill={theme.series[0]} fillOpacity={0.1} />
              <rect width={`${(count / most) * 100}%`} height={20} rx={4} fill={theme.series[0]} />
            </svg>
            {shares[i] === undefined ? null : (
              <p className="mt-1 text-xs text-muted">{shares[i]} del passo precedente</p>
            )}
          </li>
        ))}
      </ol>
    </ChartFigure>
  )
}
