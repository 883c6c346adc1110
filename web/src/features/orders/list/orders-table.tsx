import type { ReactNode } from 'react'
import { DataTable } from '../../../ui/data-table.tsx'
import type { SelectionState } from '../data/use-selection.ts'
import { useSorting } from '../filter/sorting.tsx'
import { PageSelectionBox } from './selection-head.tsx'

/** The columns in their order, as narrow as their labels allow. 'Prodotto Richiesto' gets the remaining width. */
const first = {
  name: 'ID/Ordine',
  width: 'w-[7.7rem] xl:w-[8.4rem] min-[90rem]:w-[8.4rem] print:w-[6.9rem] print:portrait:w-[5rem]',
}
const others = [
  { name: 'Cliente', width: 'w-[12.5%] min-[90rem]:w-[13%] print:w-[14%]' },
  {
    name: 'Data',
    width: 'w-[8.8rem] min-[90rem]:w-[9.6rem] print:w-[9.1rem] print:portrait:w-[5.6rem]',
  },
  { name: 'Indirizzo', width: 'w-[14.5%] min-[90rem]:w-[16%] print:w-[18%]' },
  { name: 'Prodotto Richiesto', width: '' },
  { name: 'Immagine', width: 'w-[5.9rem] xl:w-[7.5rem] min-[90rem]:w-[8.2rem] print:hidden' },
  {
    name: 'Stato',
    width:
      'w-[9.9rem] xl:w-[10.4rem] min-[90rem]:w-[14.9rem] print:w-[11.7rem] print:portrait:w-[7.4rem]',
  },
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
  const { caption, sorts } = useSorting()
  const all = selection ? (
    <span className={firstCell}>
      <PageSelectionBox selection={selection} />
      {first.name}
    </span>
  ) : null
  return (
    <DataTable
      caption={`Ordini, ${caption}`}
      columns={[
        { ...first, head: all },
        ...others.map((column) => ({ ...column, sort: sorts.get(column.name) })),
      ]}
      cell={cell}
    >
      {children}
    </DataTable>
  )
}
