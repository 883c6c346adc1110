import { useId, useState } from 'react'
import { Button } from '../button.tsx'
import type { ChartTable } from './chart-data.ts'

type TableProps = { table: ChartTable; titleId: string }

/** The values of a chart, behind a button. */
export function TableDisclosure({ table, titleId }: TableProps) {
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
