import type { ReactNode } from 'react'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { ageing } from './ageing.ts'
import { isDetailsClick } from './details-click.ts'
import { Highlighted } from './highlighted.tsx'
import { ImageLink } from './image-link.tsx'
import { NewMark } from './new-mark.tsx'
import { itemTint, type OrderItemProps, statusControlId } from './order-item.ts'
import { OrderNumber } from './order-number.tsx'
import { cell, firstCell, plainInPrint } from './orders-table.tsx'
import { SelectionBox } from './selection-box.tsx'
import { StatusSelect } from './status-select.tsx'

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
  const { order, state, isNew, now, selected, onSelect, onStatus, onDetails } = props
  const numberId = `number-${order.recordId}`
  const updating = state === 'updating'
  const relative = formatRelative(order.created, now)
  return (
    <tr
      tabIndex={-1}
      data-order={order.recordId}
      data-state={state}
      data-new={isNew || undefined}
      aria-busy={updating}
      onClick={(event) => (!updating && isDetailsClick(event) ? onDetails(event) : undefined)}
      className={cn(
        'cursor-pointer transition-colors duration-150 hover:bg-sunken/70',
        itemTint,
        'not-print:data-new:[&>th]:shadow-[inset_3px_0_0_var(--c-accent)] data-[state=opened]:[&>th]:shadow-[inset_3px_0_0_var(--c-accent)]',
      )}
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
            {isNew ? <NewMark /> : null}
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
      <td className={cell}>
        <Text>{order.product}</Text>
      </td>
      <td className={cn(cell, 'print:hidden')}>
        <ImageLink order={order} inactive={updating} />
      </td>
      <td className={cn(cell, plainInPrint, 'pointer-coarse:*:min-h-11.5')}>
        <StatusSelect
          id={statusControlId(order.recordId)}
          status={order.status}
          label={`Stato ordine ${order.number}`}
          updating={updating}
          ageing={ageing(order, now)}
          onChange={onStatus}
        />
      </td>
      <td className={cn(cell, 'print:hidden')}>
        <Button
          data-opens-details
          size="small"
          inactive={updating}
          aria-label={`Dettagli ordine ${order.number}`}
          className="max-[90rem]:px-1.5"
        >
          Dettagli
        </Button>
      </td>
    </tr>
  )
}
