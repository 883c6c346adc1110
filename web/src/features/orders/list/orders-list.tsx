import type { OrderRecord, OrderStatus, OrdersPage } from '@bancone/contract/orders'
import type { ReactNode } from 'react'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { StatusSelect } from '../change/status-select.tsx'
import { ageing } from '../data/ageing.ts'
import { isDetailsClick } from '../data/details-click.ts'
import { Highlighted } from '../data/highlighted.tsx'
import { ImageLink } from '../data/image-link.tsx'
import { NewMark } from '../data/new-mark.tsx'
import {
  type ItemState,
  itemTint,
  type OrderItemProps,
  statusControlId,
} from '../data/order-item.ts'
import { OrderNumber } from '../data/order-number.tsx'
import { type OrderView, viewOrder } from '../data/order-view.ts'
import { useOrdersSearch } from '../data/orders-search.ts'
import type { SelectionState } from '../data/use-selection.ts'
import { OrderCard } from './order-card.tsx'
import { cell, firstCell, OrdersTable, plainInPrint } from './orders-table.tsx'
import { SelectionBox } from './selection-box.tsx'
import { PageSelectionBox } from './selection-head.tsx'

type OrdersListProps = {
  page: OrdersPage | undefined
  /** The rows are those of the previous query while the new one is fetched. */
  waiting: boolean
  pending: ReadonlyMap<string, OrderStatus>
  arrived: ReadonlySet<string>
  isNew: (order: OrderRecord) => boolean
  changed: ReadonlySet<string>
  /** Record id of the order whose details are open. */
  opened: string | null
  selection: SelectionState
  /** Replaces an empty list. */
  empty: ReactNode
  onStatus: (order: OrderView, status: OrderStatus) => void
  onDetails: (order: OrderRecord, opener: HTMLElement | null) => void
}

function itemState(id: string, props: OrdersListProps): ItemState | undefined {
  if (props.pending.has(id)) return 'updating'
  if (props.opened === id) return 'opened'
  if (props.changed.has(id)) return 'changed'
  return props.arrived.has(id) ? 'arrived' : undefined
}

export function OrdersList(props: OrdersListProps) {
  const { page, waiting, pending, selection, empty, onStatus, onDetails } = props
  const now = useNow()
  const wide = useMediaQuery(WIDE)
  if (page?.records.length === 0) return empty
  if (!page) return <OrdersSkeleton wide={wide} />
  const Item = wide ? OrderRow : OrderCard
  const items = page.records.map((record) => {
    const order = viewOrder(record, pending.get(record.id))
    return (
      <Item
        key={record.id}
        order={order}
        state={itemState(record.id, props)}
        isNew={props.isNew(record)}
        now={now}
        selected={selection.selection.has(record.id)}
        selectable={wide || selection.isSelecting}
        onSelect={(range) => selection.toggle(record.id, range)}
        onStatus={(status) => onStatus(order, status)}
        onDetails={({ currentTarget }) =>
          onDetails(record, currentTarget.querySelector<HTMLElement>('[data-opens-details]'))
        }
      />
    )
  })
  const fade = waiting ? 'opacity-60 transition-opacity duration-150' : undefined
  return (
    <div className={fade}>
      {wide ? (
        <OrdersTable selection={selection}>{items}</OrdersTable>
      ) : (
        <>
          {selection.isSelecting ? (
            <div className="flex print:hidden">
              <PageSelectionBox selection={selection} text="Tutta la pagina" />
            </div>
          ) : null}
          <ul className="grid grid-cols-1 gap-2.5 md:grid-cols-2">{items}</ul>
        </>
      )}
    </div>
  )
}

const texts = ['w-10', 'w-4/5', 'w-11/12', 'w-11/12', 'w-full', 'w-16']

function SkeletonRow() {
  return (
    <tr>
      {texts.map((width, column) => (
        <td
          // biome-ignore lint/suspicious/noArrayIndexKey: the columns, which never move
          key={column}
          className={cell}
        >
          <Skeleton className={cn('h-3.5', width)} />
        </td>
      ))}
      <td className={cell}>
        <Skeleton shape="pill" className="h-8 w-full pointer-coarse:h-11.5" />
      </td>
      <td className={cell}>
        <Skeleton shape="control" className="h-8 w-16 pointer-coarse:h-11" />
      </td>
    </tr>
  )
}

/** As high as a card, line by line: number, customer, two lines of product, address, date, controls. */
function SkeletonCard() {
  return (
    <div className="rounded-card border border-line bg-surface p-3.5">
      <Line className="text-sm" bar="w-16" />
      <Line className="mt-0.5 text-base leading-snug" bar="w-3/5" />
      <Line className="mt-1.5" bar="w-11/12" />
      <Line bar="w-2/3" />
      <Line className="mt-1.5 text-sm" bar="w-4/5" />
      <div className="flex min-h-11 items-center">
        <Skeleton className="h-3.5 w-2/5" />
      </div>
      <div className="mt-1 grid grid-cols-[1fr_auto] gap-2">
        <Skeleton shape="pill" className="h-12" />
        <Skeleton shape="control" className="h-12 w-20" />
      </div>
    </div>
  )
}

/** A bar with the height of a line of text. */
function Line({ className, bar }: { className?: string; bar: string }) {
  return (
    <div className={cn('flex h-lh items-center', className)}>
      <Skeleton className={cn('h-3.5', bar)} />
    </div>
  )
}

/** Placeholder of the list, with the rows of a full page. */
export function OrdersSkeleton({ wide }: { wide: boolean }) {
  const [{ pageSize }] = useOrdersSearch()
  const items = Array.from({ length: pageSize }, (_, index) =>
    wide ? <SkeletonRow key={index} /> : <SkeletonCard key={index} />,
  )
  return (
    <Loading text="Caricamento degli ordini in corso…">
      {wide ? (
        <OrdersTable selection={null}>{items}</OrdersTable>
      ) : (
        <div className="grid grid-cols-1 gap-2.5 md:grid-cols-2">{items}</div>
      )}
    </Loading>
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

function OrderRow(props: OrderItemProps) {
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
