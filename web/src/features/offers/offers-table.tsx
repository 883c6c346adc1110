import { ArrowDown, ArrowUp, ArrowUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../ui/class-names.ts'
import { nextSorting, sortingCaption, sortingOrder } from './offer-sortings.ts'
import type { OfferSorting } from './offers-address.ts'

/** The columns in their order; the product gets the remaining width. */
const columns = [
  { name: 'Immagine', width: 'w-21' },
  { name: 'Prodotto', width: '' },
  { name: 'Prezzo di listino', width: 'w-24 xl:w-36', number: true },
  { name: 'Prezzo offerta', width: 'w-28 xl:w-32', number: true },
  { name: 'Tipo', width: 'w-30 xl:w-34' },
  { name: 'Periodo', width: 'w-32 xl:w-36' },
  { name: 'Stato', width: 'w-42 xl:w-44' },
  { name: 'Azioni', width: 'w-16' },
]

export const cell =
  'border-b border-line px-1.5 py-1.5 align-middle first:pl-3.5 last:pr-3.5 xl:px-2.5'

const icons = { ascending: ArrowUp, descending: ArrowDown, none: ArrowUpDown }

type HeadProps = { name: string; ordina: OfferSorting; onSort: (ordina: OfferSorting) => void }

function Head({ name, ordina, onSort }: HeadProps) {
  const next = nextSorting(name, ordina)
  if (next === null) return name === 'Azioni' ? <span className="sr-only">Azioni</span> : name
  const order = sortingOrder(name, ordina)
  const Icon = icons[order]
  return (
    <button
      type="button"
      onClick={() => onSort(next)}
      className={cn(
        '-mx-1.5 inline-flex min-h-8 items-center gap-1 rounded-md px-1.5 text-left font-medium hover:text-ink pointer-coarse:min-h-11',
        order !== 'none' && 'text-ink',
      )}
    >
      {name}
      <Icon aria-hidden className="size-3.5 shrink-0" />
    </button>
  )
}

type OffersTableProps = {
  ordina: OfferSorting
  onSort: (ordina: OfferSorting) => void
  children: ReactNode
}

export function OffersTable({ ordina, onSort, children }: OffersTableProps) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-card border border-line bg-surface text-sm leading-snug">
      <caption className="sr-only">Offerte, {sortingCaption(ordina)}</caption>
      <thead>
        <tr>
          {columns.map(({ name, width, number }) => (
            <th
              key={name}
              scope="col"
              aria-sort={nextSorting(name, ordina) ? sortingOrder(name, ordina) : undefined}
              className={cn(
                cell,
                'sticky top-14 z-10 bg-sunken text-xs leading-tight text-muted first:rounded-tl-card last:rounded-tr-card',
                number ? 'text-right' : 'text-left',
                width,
              )}
            >
              <Head name={name} ordina={ordina} onSort={onSort} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="[&>tr:last-child>td]:border-b-0 [&>tr:last-child>td:first-child]:rounded-bl-card [&>tr:last-child>td:last-child]:rounded-br-card [&>tr:last-child>th]:border-b-0">
        {children}
      </tbody>
    </table>
  )
}
