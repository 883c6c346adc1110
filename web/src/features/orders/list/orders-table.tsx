import type { ReactNode } from 'react'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { cn } from '../../../ui/class-names.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Highlighted, OrderNumber } from '../data/highlighted.tsx'
import type { SelectionState } from '../data/use-selection.ts'
import { useSorting } from '../filter/sorting.tsx'
import {
  DetailsButton,
  ImageLink,
  ItemStatus,
  isDetailsClick,
  itemAttributes,
  NewMark,
  type OrderItemProps,
  PickupMark,
  PrescriptionSign,
  plainInPrint,
} from './order-item.tsx'
import { PageSelectionBox, SelectionBox } from './selection-box.tsx'

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
const cell =
  'h-11 border-b border-line px-1.5 py-1 align-middle first:pl-3.5 last:pr-3.5 min-[90rem]:px-3 min-[90rem]:first:pl-4 min-[90rem]:last:pr-4'

/** The first cell: checkbox and number. */
const firstCell = '-ml-2 flex items-center gap-0.5 print:ml-0'

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

/** As high as a row with one line. */
export function SkeletonRow() {
  return (
    <tr>
      <td colSpan={1 + others.length} className={cell}>
        <Skeleton shape="control" className="h-8 pointer-coarse:h-11.5" />
      </td>
    </tr>
  )
}

function Text({ children }: { children: string | null }) {
  if (children === null) return <Blank />
  return (
    <span className="line-clamp-2 wrap-anywhere hyphens-auto print:line-clamp-none">
      <Highlighted text={children} />
    </span>
  )
}

function Blank(): ReactNode {
  return (
    <span className="text-muted">
      <span aria-hidden>—</span>
      <span className="sr-only">Non indicato</span>
    </span>
  )
}

export function OrderRow(props: OrderItemProps) {
  const { order, state, isNew, now, selected, onSelect, onDetails } = props
  const numberId = `number-${order.recordId}`
  const relative = formatRelative(order.created, now)
  return (
    <tr
      {...itemAttributes(
        props,
        'cursor-pointer transition-colors duration-150 hover:bg-sunken/70 not-print:data-new:[&>th]:shadow-[inset_3px_0_0_var(--c-accent)] data-[state=opened]:[&>th]:shadow-[inset_3px_0_0_var(--c-accent)]',
      )}
      onClick={(event) =>
        state !== 'updating' && isDetailsClick(event) ? onDetails(event) : undefined
      }
    >
      <th
        scope="row"
        aria-labelledby={numberId}
        className={cn(cell, 'text-left font-medium tabular-nums')}
      >
        <span className={firstCell}>
          <SelectionBox
            label={`Seleziona ordine ${order.number}`}
            checked={selected}
            onToggle={onSelect}
          />
          <span id={numberId} className="flex min-w-0 flex-col items-start">
            <OrderNumber number={order.number} />
            {isNew ? <NewMark /> : <PickupMark order={order} />}
          </span>
        </span>
      </th>
      <td className={cn(cell, 'font-medium')}>
        <Text>{order.customer}</Text>
      </td>
      <td className={cn(cell, 'tabular-nums')}>
        <span className="block leading-tight">{formatDateTime(order.created)}</span>
        {relative ? <span className="text-xs text-muted">{relative}</span> : null}
      </td>
      <td className={cn(cell, 'text-muted')}>
        <Text>{order.address}</Text>
      </td>
      <td className={cn(cell, 'relative pr-7!')}>
        <Text>{order.product}</Text>
        <PrescriptionSign text={order.product ?? ''} className="absolute top-3 right-2" />
      </td>
      <td className={cn(cell, 'print:hidden')}>
        <ImageLink {...props} />
      </td>
      <td className={cn(cell, plainInPrint, 'pointer-coarse:*:min-h-11.5')}>
        <ItemStatus {...props} />
      </td>
      <td className={cn(cell, 'print:hidden')}>
        <DetailsButton item={props} size="small" className="max-[90rem]:px-1.5" />
      </td>
    </tr>
  )
}
