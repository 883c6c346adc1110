import { type OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { hideCodes } from '@bancone/contract/prescription-codes'
import { CalendarOff } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { formatCount, formatDateTime, formatNumber, formatTime } from '../../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { cn } from '../../../ui/class-names.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { OrderNumber } from '../data/highlighted.tsx'
import { StatusBadge } from '../data/order-status.tsx'
import { type OrderView, viewOrder } from '../data/order-view.ts'
import { plainInPrint } from '../list/order-item.tsx'

type DayOrdersProps = {
  today: boolean
  /**
   * `made`: created on the day. `due`: created the day before and booked for the day. `waiting`: of the days before, and
   * not confirmed yet; the newest of `waitingCount`.
   */
  orders: {
    made: readonly OrderRecord[]
    due: readonly OrderRecord[]
    waiting: readonly OrderRecord[]
    waitingCount: number
  }
}

type SectionProps = { title: ReactNode; note?: string; children: ReactNode }

function Section({ title, note, children }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2
        id={id}
        className="mb-2 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-base font-medium print:break-after-avoid"
      >
        {title}
        {note ? <span className="text-sm font-normal text-muted">{note}</span> : null}
      </h2>
      {children}
    </section>
  )
}

function Totals({ orders }: { orders: readonly OrderRecord[] }) {
  const groups = groupByStatus(orders)
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-2.5 rounded-card border border-line bg-surface px-4 py-3">
      <div className="flex items-center gap-2.5">
        <dt className="text-sm text-muted">Totale</dt>
        <dd className="text-lg font-medium tabular-nums">{formatNumber(orders.length)}</dd>
      </div>
      {groups.map(({ status, orders: { length } }) => (
        <div key={status} className="flex items-center gap-2.5">
          <dt className={plainInPrint}>
            <StatusBadge status={status} />
          </dt>
          <dd className="text-lg font-medium tabular-nums">{formatNumber(length)}</dd>
        </div>
      ))}
    </dl>
  )
}

function waitingNote(listed: number, count: number): string {
  const text = `${countText(count)} dei giorni prima`
  return listed < count ? `${text}: qui i ${formatNumber(listed)} più recenti` : text
}

/** The orders in groups: those due first, then by status, then what still waits. */
export function DayOrders({ today, orders }: DayOrdersProps) {
  const { made, due, waiting, waitingCount } = orders
  if (made.length + due.length + waiting.length === 0) {
    return (
      <EmptyList icon={<CalendarOff />} title="Nessun ordine in questo giorno">
        {today
          ? 'Gli ordini di oggi compariranno qui appena arrivano.'
          : 'Scegli un altro giorno per vederne il riepilogo.'}
      </EmptyList>
    )
  }
  const dueTitle = today ? 'Da consegnare oggi' : 'Da consegnare in questo giorno'
  return (
    <>
      <Totals orders={made} />
      {due.length > 0 ? (
        <Section title={dueTitle} note={`${countText(due.length)} del giorno prima`}>
          <DayOrdersList
            caption={dueTitle}
            orders={due.map((record) => viewWithoutCodes(record))}
          />
        </Section>
      ) : null}
      {groupByStatus(made).map(({ status, orders: group }) => (
        <Section
          key={status}
          title={
            <span className={plainInPrint}>
              <StatusBadge status={status} />
            </span>
          }
          note={countText(group.length)}
        >
          <DayOrdersList caption={`Ordini: ${status || 'Senza stato'}`} orders={group} />
        </Section>
      ))}
      {waiting.length > 0 ? (
        <Section title="Ancora in attesa" note={waitingNote(waiting.length, waitingCount)}>
          <DayOrdersList
            caption="Ancora in attesa"
            dated
            orders={waiting.map((record) => viewWithoutCodes(record))}
          />
        </Section>
      ) : null}
    </>
  )
}

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
  const { number, customer, phone, product, address } = order
  return (
    <tr>
      <th scope="row" className={cn(cell, 'tabular-nums')}>
        <OrderNumber number={number} />
      </th>
      <td className={cn(cell, 'tabular-nums')}>{madeAt(order, dated)}</td>
      {[customer, phone, product, address].map((text, index) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns, which never move
          key={index}
          className={cn(
            cell,
            text === phone && 'tabular-nums',
            'whitespace-pre-line wrap-anywhere',
          )}
        >
          {text ?? <Missing>Non indicato</Missing>}
        </td>
      ))}
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
function DayOrdersList({ caption, orders, dated = false }: DayOrdersListProps) {
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
    <DataTable caption={caption} columns={columns(dated)} cell={cell}>
      {orders.map((order) => (
        <Row key={order.recordId} order={order} dated={dated} />
      ))}
    </DataTable>
  )
}

/** The sheet lies on the counter: it shows no codes of prescriptions. */
function viewWithoutCodes(record: OrderRecord): OrderView {
  const order = viewOrder(record)
  const hidden = (text: string | null) => text && hideCodes(text)
  return {
    ...order,
    customer: hidden(order.customer),
    address: hidden(order.address),
    product: hidden(order.product),
  }
}

type Group = { status: string; orders: OrderView[] }

/** The orders grouped by status: the five known ones first, then others. Empty groups are omitted. */
function groupByStatus(records: readonly OrderRecord[]): Group[] {
  const groups = new Map<string, OrderView[]>(OrderStatus.options.map((status) => [status, []]))
  for (const record of records) {
    const order = viewWithoutCodes(record)
    const orders = groups.get(order.status)
    if (orders) orders.push(order)
    else groups.set(order.status, [order])
  }
  return [...groups]
    .map(([status, orders]) => ({ status, orders }))
    .filter(({ orders }) => orders.length > 0)
}

/** 'Nessun ordine', '1 ordine', '12 ordini' */
export function countText(count: number): string {
  return count === 0 ? 'Nessun ordine' : formatCount(count, 'ordine', 'ordini')
}
