import { formatDateTime, formatTime } from '../../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { cn } from '../../../ui/class-names.ts'
import { OrderNumber } from '../order-number.tsx'
import type { OrderView } from '../order-view.ts'

type DayOrdersListProps = {
  caption: string
  orders: readonly OrderView[]
  /** They are of several days. */
  dated?: boolean
}

const columns = (dated: boolean) => [
  { name: 'Ordine', width: 'w-[6.5rem] print:portrait:w-[5rem]' },
  dated ? { name: 'Data', width: 'w-[6.5rem]' } : { name: 'Ora', width: 'w-16' },
  { name: 'Cliente', width: 'w-[17%]' },
  { name: 'Telefono', width: 'w-[10rem] print:portrait:w-[8.6rem]' },
  { name: 'Prodotto richiesto', width: '' },
  { name: 'Indirizzo', width: 'w-[22%]' },
]

const cell =
  'border-b border-line px-3 py-2 text-left align-top first:pl-4 last:pr-4 print:portrait:px-1.5'

function Missing({ children }: { children: string }) {
  return <span className="text-muted">{children}</span>
}

const madeAt = (order: OrderView, dated: boolean) =>
  dated ? formatDateTime(order.created) : formatTime(order.created)

type ItemProps = { order: OrderView; dated: boolean }

function Row({ order, dated }: ItemProps) {
  return (
    <tr>
      <th scope="row" className={cn(cell, 'tabular-nums')}>
        <OrderNumber number={order.number} />
      </th>
      <td className={cn(cell, 'tabular-nums')}>{madeAt(order, dated)}</td>
      <td className={cn(cell, 'wrap-anywhere')}>
        {order.customer ?? <Missing>Non indicato</Missing>}
      </td>
      <td className={cn(cell, 'tabular-nums wrap-anywhere')}>
        {order.phone ?? <Missing>Non indicato</Missing>}
      </td>
      <td className={cn(cell, 'whitespace-pre-line wrap-anywhere')}>
        {order.product ?? <Missing>Non indicato</Missing>}
      </td>
      <td className={cn(cell, 'wrap-anywhere')}>
        {order.address ?? <Missing>Non indicato</Missing>}
      </td>
    </tr>
  )
}

function Card({ order, dated }: ItemProps) {
  return (
    <li className="rounded-card border border-line bg-surface p-3.5">
      <p className="flex items-baseline justify-between gap-3 text-sm text-muted tabular-nums">
        <span className="font-medium">
          <span className="sr-only">Ordine </span>
          <span aria-hidden>#</span>
          <OrderNumber number={order.number} />
        </span>
        {madeAt(order, dated)}
      </p>
      <h3 className="mt-0.5 font-medium wrap-anywhere">
        {order.customer ?? 'Cliente non indicato'}
      </h3>
      <p className="mt-1 whitespace-pre-line wrap-anywhere">
        {order.product ?? <Missing>Nessun prodotto indicato</Missing>}
      </p>
      <p className="mt-1 text-sm text-muted wrap-anywhere">
        {[order.phone, order.address].filter((text) => text !== null).join(' · ')}
      </p>
    </li>
  )
}

/** Orders for reading and printing, without controls. */
export function DayOrdersList({ caption, orders, dated = false }: DayOrdersListProps) {
  const wide = useMediaQuery(WIDE)
  if (!wide) {
    return (
      <ul className="grid grid-cols-1 gap-2.5 md:grid-cols-2">
        {orders.map((order) => (
          <Card key={order.recordId} order={order} dated={dated} />
        ))}
      </ul>
    )
  }
  return (
    <table className="w-full table-fixed border-separate border-spacing-0 rounded-card border border-line bg-surface text-sm leading-snug print:rounded-none">
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr>
          {columns(dated).map(({ name, width }) => (
            <th
              key={name}
              scope="col"
              className={cn(
                cell,
                'bg-sunken text-xs text-muted first:rounded-tl-card last:rounded-tr-card',
                width,
              )}
            >
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="[&>tr:last-child>*]:border-b-0">
        {orders.map((order) => (
          <Row key={order.recordId} order={order} dated={dated} />
        ))}
      </tbody>
    </table>
  )
}
