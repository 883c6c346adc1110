import { type ReactNode, useId } from 'react'
import type { ChartTable, ChartTexts } from './chart-data.ts'
import { TableDisclosure } from './chart-table.tsx'

type ChartFigureProps = ChartTexts & {
  table: ChartTable
  /** Plot and legend. */
  children: ReactNode
}

/**
 * The frame of a chart: title, sentence, picture, and the table of all values. On paper it takes the whole width of a
 * grid, because the texts of the picture shrink with it.
 */
export function ChartFigure({ title, summary, table, children }: ChartFigureProps) {
  const id = useId()
  return (
    <figure
      aria-labelledby={id}
      className="flex min-w-0 flex-col gap-3 rounded-card border border-line bg-surface p-4 md:p-5 print:col-span-full print:gap-2 print:p-3 print:break-inside-avoid"
    >
      <figcaption>
        <h2 id={id} className="font-medium">
          {title}
        </h2>
        <p className="text-sm text-pretty text-muted">{summary}</p>
      </figcaption>
      {children}
      <TableDisclosure table={table} titleId={id} />
    </figure>
  )
}

type LegendProps = {
  names: readonly string[]
  /** The mark of the series with this index. */
  swatch: (index: number) => ReactNode
}

export function ChartLegend({ names, swatch }: LegendProps) {
  return (
    <ul aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
      {names.map((name, k) => (
        <li key={k} className="flex min-w-0 items-center gap-1.5">
          {swatch(k)}
          <span className="min-w-0 break-words">{name}</span>
        </li>
      ))}
    </ul>
  )
}
