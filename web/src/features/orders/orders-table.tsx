import type { ReactNode } from 'react'
import { cn } from '../../ui/class-names.ts'
import { PageSelectionBox } from './selection-head.tsx'
import { SortHead } from './sort-head.tsx'
import { useSorting } from './sorting.ts'
import type { SelectionState } from './use-selection.ts'

/** The columns in their order, as narrow as their labels allow. 'Prodotto Richiesto' gets the remaining width. */
const columns = [
  { name: 'ID/Ordine', width: 'w-[7.7rem] xl:w-[8.4rem] min-[90rem]:w-[8.4rem] print:w-[6.9rem]' },
  { name: 'Cliente', width: 'w-[12.5%] min-[90rem]:w-[13%] print:w-[14%]' },
  { name: 'Data', width: 'w-[8.8rem] min-[90rem]:w-[9.6rem] print:w-[9.1rem]' },
  { name: 'Indirizzo', width: 'w-[14.5%] min-[90rem]:w-[16%] print:w-[18%]' },
  { name: 'Prodotto Richiesto', width: '' },
  { name: 'Immagine', width: 'w-[5.9rem] xl:w-[7.5rem] min-[90rem]:w-[8.2rem] print:hidden' },
  { name: 'Stato', width: 'w-[9.9rem] xl:w-[10.4rem] min-[90rem]:w-[14.9rem] print:w-[11.7rem]' },
  { name: 'Azioni', width: 'w-[5.6rem] min-[90rem]:w-[6.8rem] print:hidden' },
]

/** Padding of every cell; the outer cells have more. */
export const cell =
  'h-11 border-b border-line px-1.5 py-1 align-middle first:pl-3.5 last:pr-3.5 min-[90rem]:px-3 min-[90rem]:first:pl-4 min-[90rem]:last:pr-4'

/** The first cell: checkbox and number. */
export const firstCell = '-ml-2 flex items-center gap-0.5 print:ml-0'

/** Prints the status as icon and text, not as a control. */
export const plainInPrint =
  'print:*:min-h-0 print:*:border-0 print:*:bg-transparent print:*:p-0 print:*:text-ink'

type OrdersTableProps = {
  /** Null while there is nothing to select. */
  selection: SelectionState | null
  children: ReactNode
}

export function OrdersTable({ selection, children }: OrdersTableProps) {
  const { caption, heads } = useSorting()
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-card border border-line bg-surface text-sm leading-snug print:rounded-none">
      <caption className="sr-only">Ordini, {caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, width }, index) => (
            <th
              key={name}
              scope="col"
              aria-sort={heads.get(name)?.order}
              aria-label={selection && index === 0 ? name : undefined}
              className={cn(
                cell,
                'sticky top-14 z-10 bg-sunken text-left text-xs leading-tight text-muted',
                'first:rounded-tl-card last:rounded-tr-card print:static print:rounded-none',
                width,
              )}
            >
              {index === 0 && selection ? (
                <span className={firstCell}>
                  <PageSelectionBox selection={selection} />
                  {name}
                </span>
              ) : (
                <SortHead name={name} head={heads.get(name)} />
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="[&>tr:last-child>td]:border-b-0 [&>tr:last-child>td:first-child]:rounded-bl-card [&>tr:last-child>td:last-child]:rounded-br-card [&>tr:last-child>th]:rounded-bl-card [&>tr:last-child>th]:border-b-0">
        {children}
      </tbody>
    </table>
  )
}
