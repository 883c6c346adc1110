import type { ReactNode } from 'react'
import { type ColumnSort, DataTable } from '../../ui/data-table.tsx'
import { nextSorting, sortingCaption, sortingOrder } from './offer-sortings.ts'
import type { OfferSorting } from './offers-address.ts'

/** The columns in their order; the product gets the remaining width. */
const columns = [
  { name: 'Immagine', width: 'w-21' },
  { name: 'Prodotto', width: '' },
  { name: 'Prezzo di listino', width: 'w-24 xl:w-36', numeric: true },
  { name: 'Prezzo offerta', width: 'w-28 xl:w-32', numeric: true },
  { name: 'Tipo', width: 'w-30 xl:w-34' },
  { name: 'Periodo', width: 'w-32 xl:w-36' },
  { name: 'Stato', width: 'w-42 xl:w-44' },
  { name: 'Azioni', width: 'w-16', head: <span className="sr-only">Azioni</span> },
]

export const cell =
  'border-b border-line px-1.5 py-1.5 align-middle first:pl-3.5 last:pr-3.5 xl:px-2.5'

/** How the list is sorted by a column; undefined where it cannot be. */
function columnSort(
  name: string,
  { ordina, onSort }: Omit<OffersTableProps, 'children'>,
): ColumnSort | undefined {
  const next = nextSorting(name, ordina)
  return next === null
    ? undefined
    : { order: sortingOrder(name, ordina), onSort: () => onSort(next) }
}

type OffersTableProps = {
  ordina: OfferSorting
  onSort: (ordina: OfferSorting) => void
  children: ReactNode
}

export function OffersTable({ ordina, onSort, children }: OffersTableProps) {
  return (
    <DataTable
      caption={`Offerte, ${sortingCaption(ordina)}`}
      columns={columns.map((column) => ({
        ...column,
        sort: columnSort(column.name, { ordina, onSort }),
      }))}
      cell={cell}
    >
      {children}
    </DataTable>
  )
}
