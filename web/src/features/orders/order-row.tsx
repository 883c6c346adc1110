import type { ReactNode } from 'react'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { meansDetails } from './details-click.ts'
import { ImageLink } from './image-link.tsx'
import type { OrderItemProps } from './order-item.ts'
import { cell } from './orders-table.tsx'
import { StatusSelect } from './status-select.tsx'

function Text({ children }: { children: string | null }) {
  if (children === null) return <Blank />
  return <span className="line-clamp-3 wrap-anywhere lg:line-clamp-2 hyphens-auto">{children}</span>
}

function Blank(): ReactNode {
  return (
    <span className="text-muted">
      <span aria-hidden>—</span>
      <span className="sr-only">Non indicato</span>
    </span>
  )
}

export function OrderRow({
  order,
  updating,
  arrived,
  now,
  onStatus,
  onDetails,
  onNear,
}: OrderItemProps) {
  const relative = formatRelative(order.created, now)
  return (
    <tr
      aria-busy={updating}
      onClick={(event) => (meansDetails(event) ? onDetails(event) : undefined)}
      onPointerEnter={onNear}
      className={cn(
        'cursor-pointer transition-colors duration-150 hover:bg-sunken/70',
        arrived && 'animate-arrival [&>th]:shadow-[inset_3px_0_0_var(--c-accent)]',
      )}
    >
      <th scope="row" className={cn(cell, 'text-left font-medium wrap-anywhere tabular-nums')}>
        {order.number}
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
      <td className={cell}>
        <ImageLink image={order.image} number={order.number} />
      </td>
      <td className={cell}>
        <StatusSelect
          status={order.status}
          label={`Stato ordine ${order.number}`}
          updating={updating}
          onChange={onStatus}
        />
      </td>
      <td className={cell}>
        <Button
          data-opens-details
          onFocus={onNear}
          size="small"
          disabled={updating}
          aria-label={`Dettagli ordine ${order.number}`}
          className="max-xl:px-1.5 print:hidden"
        >
          Dettagli
        </Button>
      </td>
    </tr>
  )
}
