import type { ReactNode } from 'react'
import { cn } from '../../ui/class-names.ts'

/** The columns in their order. The three texts share what the others leave. */
const columns = [
  { name: 'ID/Ordine', width: 'w-20 xl:w-26' },
  { name: 'Cliente', width: 'w-[12%] xl:w-[14%]' },
  { name: 'Data', width: 'w-22 lg:w-36 xl:w-38' },
  { name: 'Indirizzo', width: 'w-[12.5%] xl:w-[15%]' },
  { name: 'Prodotto Richiesto', width: '' },
  { name: 'Immagine', width: 'w-23 xl:w-33' },
  { name: 'Stato', width: 'w-36 xl:w-60' },
  { name: 'Azioni', width: 'w-23 xl:w-28' },
]

/** The spacing of every cell; the outer ones keep more from the border. */
export const cell =
  'border-b border-line px-1.5 py-1.5 align-middle first:pl-3.5 last:pr-3.5 xl:px-3 xl:first:pl-4 xl:last:pr-4'

export function OrdersTable({ children }: { children: ReactNode }) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-card border border-line bg-surface text-[13px] xl:text-sm">
      <caption className="sr-only">Ordini, dal più recente</caption>
      <thead>
        <tr>
          {columns.map(({ name, width }) => (
            <th
              key={name}
              scope="col"
              className={cn(
                cell,
                'sticky top-14 z-10 bg-sunken py-2.5 text-left text-xs leading-tight font-medium text-muted',
                'first:rounded-tl-card last:rounded-tr-card print:static',
                width,
              )}
            >
              {name}
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
