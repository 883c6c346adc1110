import { type ReactNode, useId, useState } from 'react'
import { Button } from '../button.tsx'
import type { ChartTable, ChartTexts } from './chart-data.ts'

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

type TableProps = { table: ChartTable; titleId: string }

/** The values of a chart, behind a button. */
function TableDisclosure({ table, titleId }: TableProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        look="link"
        size="bare"
        className="min-h-8 self-start pointer-coarse:min-h-11 print:hidden"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        aria-describedby={titleId}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Nascondi tabella' : 'Mostra tabella'}
      </Button>
      {isOpen ? (
        // The focus lets the arrow keys scroll it.
        <section
          id={id}
          aria-labelledby={titleId}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- as said above
          tabIndex={0}
          className="max-h-96 overflow-auto rounded-control border border-line print:max-h-none print:overflow-visible"
        >
          <ValuesTable table={table} titleId={titleId} />
        </section>
      ) : null}
    </>
  )
}

const cell = 'px-3 py-1.5 align-top'
/** The heads of the rows stay in view where the table is wider than its place. */
const rowHead = `${cell} sticky left-0 min-w-24 bg-surface text-left font-normal`
const headCell = `${cell} sticky top-0 z-1 bg-sunken text-xs text-muted print:static`

function ValuesTable({ table: { head, columns, rows }, titleId }: TableProps) {
  const hasNotes = rows.some(({ notes = [] }) => notes.length > 0)
  return (
    <table aria-labelledby={titleId} className="w-full text-sm leading-snug">
      <thead>
        <tr>
          <th scope="col" className={`${headCell} left-0 z-2 text-left`}>
            {head}
          </th>
          {columns.map((column, k) => (
            <th key={k} scope="col" className={`${headCell} text-right`}>
              {column}
            </th>
          ))}
          {hasNotes ? (
            <th scope="col" className={`${headCell} min-w-56 text-left`}>
              Note
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, i) => (
          <tr key={i} className="border-t border-line">
            <th scope="row" className={rowHead}>
              {row.head}
            </th>
            {row.cells.map((text, k) => (
              <td key={k} className={`${cell} text-right tabular-nums`}>
                {text}
              </td>
            ))}
            {hasNotes ? <td className={cell}>{row.notes?.join('; ')}</td> : null}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
