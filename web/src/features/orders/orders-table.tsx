import type { ReactNode } from 'react'
import { cn } from '../../ui/class-names.ts'

/** The columns in their order, as wide as their letters ask. 'Prodotto Richiesto' has what the others leave. */
const columns = [
  { name: 'ID/Ordine', width: 'w-[6.9rem] xl:w-[7.5rem] print:w-[6.9rem]' },
  { name: 'Cliente', width: 'w-[13%] print:w-[14%]' },
  { name: 'Data', width: 'w-[8.8rem] xl:w-[10.1rem] print:w-[9.1rem]' },
  { name: 'Indirizzo', width: 'w-[15.5%] xl:w-[17%] print:w-[18%]' },
  { name: 'Prodotto Richiesto', width: '' },
  { name: 'Immagine', width: 'w-[5.9rem] xl:w-[7.2rem] min-[90rem]:w-[8.5rem] print:hidden' },
  { name: 'Stato', width: 'w-[9.9rem] xl:w-[11.7rem] min-[90rem]:w-[15.2rem] print:w-[11.7rem]' },
  { name: 'Azioni', width: 'w-[5.6rem] xl:w-[7.2rem] print:hidden' },
]

/** The spacing of every cell; the outer ones keep more from the border. */
export const cell =
  'h-11 border-b border-line px-1.5 py-1 align-middle first:pl-3.5 last:pr-3.5 xl:px-3 xl:first:pl-4 xl:last:pr-4'

/** Around the status: on paper it is an icon and a word, not something to press. */
export const plainInPrint =
  'print:*:min-h-0 print:*:border-0 print:*:bg-transparent print:*:p-0 print:*:text-ink'

export function OrdersTable({ children }: { children: ReactNode }) {
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-card border border-line bg-surface text-sm leading-snug print:rounded-none">
      <caption className="sr-only">Ordini, dal più recente</caption>
      <thead>
        <tr>
          {columns.map(({ name, width }) => (
            <th
              key={name}
              scope="col"
              className={cn(
                cell,
                'sticky top-14 z-10 bg-sunken text-left text-xs leading-tight text-muted',
                'first:rounded-tl-card last:rounded-tr-card print:static print:rounded-none',
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
