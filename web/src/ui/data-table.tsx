import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }

export type ColumnSort = {
  /** Value of `aria-sort`. */
  order: keyof typeof icons
  onSort: () => void
}

export type Column = {
  name: string
  /** Width classes; the column without one gets the remaining width. */
  width: string
  numeric?: boolean
  /** Undefined where the list cannot be sorted by the column. */
  sort?: ColumnSort | undefined
  /** Shown instead of the name. */
  head?: ReactNode
}

function SortButton({ name, sort: { order, onSort } }: { name: string; sort: ColumnSort }) {
  const Icon = icons[order]
  return (
    <button
      type="button"
      onClick={onSort}
      className={cn(
        '-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-md px-1.5 text-left font-medium hover:text-ink pointer-coarse:min-h-11',
        order !== 'none' && 'text-ink',
      )}
    >
      {name}
      <Icon aria-hidden className="size-3.5 shrink-0 print:hidden" />
    </button>
  )
}

type DataTableProps = {
  /** Read out before the table. */
  caption: string
  columns: readonly Column[]
  /** Classes of every cell. */
  cell: string
  /** The rows. */
  children: ReactNode
}

/** The table of a list on a wide screen. Its head stays in view below the page's header. */
export function DataTable({ caption, columns, cell, children }: DataTableProps) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-card border border-line bg-surface text-sm leading-snug print:rounded-none">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, width, numeric, sort, head }) => (
            <th
              key={name}
              scope="col"
              aria-sort={sort?.order}
              aria-label={head ? name : undefined}
              className={cn(
                cell,
                'sticky top-(--top-bar) z-10 bg-sunken text-xs leading-tight text-muted',
                'first:rounded-tl-card last:rounded-tr-card print:static print:rounded-none',
                numeric ? 'text-right' : 'text-left',
                width,
              )}
            >
              {head ?? (sort ? <SortButton name={name} sort={sort} /> : name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="[&>tr:last-child>:is(td,th)]:border-b-0 [&>tr:last-child>:is(td,th):first-child]:rounded-bl-card [&>tr:last-child>:is(td,th):last-child]:rounded-br-card">
        {children}
      </tbody>
    </table>
  )
}
