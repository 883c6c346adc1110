import type { OrderRecord, OrderStatus, OrdersPage } from '@bancone/contract/orders'
import {
  memo,
  type PointerEvent,
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useNavigationType } from 'react-router'
import { useMediaQuery, WIDE } from '../../../lib/use-media-query.ts'
import { useNow } from '../../../lib/use-now.ts'
import { whenIdle } from '../../../lib/when-idle.ts'
import { cn } from '../../../ui/class-names.ts'
import { Loading } from '../../../ui/skeleton.tsx'
import { type OrderView, viewOrder } from '../data/order-view.ts'
import { useOrdersSearch } from '../data/orders-search.ts'
import type { SelectionState } from '../data/use-selection.ts'
import { OrderCard, SkeletonCard } from './order-card.tsx'
import { type ItemState, type OrderItemProps, opensDetails } from './order-item.tsx'
import { OrderRow, OrdersTable, SkeletonRow } from './orders-table.tsx'
import { PageSelectionBox } from './selection-box.tsx'

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
  /** Called when a pointer goes down where a click will open the details. */
  onPress: (order: OrderRecord) => void
  onDetails: (order: OrderRecord, opener: HTMLElement | null) => void
}

function itemState(id: string, props: OrdersListProps): ItemState | undefined {
  if (props.pending.has(id)) return 'updating'
  if (props.opened === id) return 'opened'
  if (props.changed.has(id)) return 'changed'
  return props.arrived.has(id) ? 'arrived' : undefined
}

export function OrdersList(props: OrdersListProps) {
  const { page, empty } = props
  const wide = useMediaQuery(WIDE)
  if (page?.records.length === 0) return empty
  return page ? (
    <Items {...props} records={page.records} wide={wide} />
  ) : (
    <OrdersSkeleton wide={wide} />
  )
}

/** How many orders a screen shows below the filters. */
const ROWS_ON_SCREEN = 12
const CARDS_ON_SCREEN = 5

let isFirstList = true

/**
 * A new list shows the orders that the screen has room for, and the others in the next moment. After Back it shows all: the
 * browser scrolls to where the list was.
 */
function useShownCount(wide: boolean): number {
  const isBack = useNavigationType() === 'POP' && !isFirstList
  const [isWhole, setWhole] = useState(isBack)
  useEffect(() => {
    isFirstList = false
    void whenIdle().then(() => startTransition(() => setWhole(true)))
  }, [])
  if (isWhole) return Infinity
  return wide ? ROWS_ON_SCREEN : CARDS_ON_SCREEN
}

type ItemsProps = OrdersListProps & { records: OrderRecord[]; wide: boolean }

function Items({ records, wide, ...props }: ItemsProps) {
  const { waiting, pending, selection } = props
  const now = useNow()
  const actions = useItemActions(props)
  const items = records
    .slice(0, useShownCount(wide))
    .map((record) => (
      <ListItem
        key={record.id}
        record={record}
        pending={pending.get(record.id)}
        state={itemState(record.id, props)}
        isNew={props.isNew(record)}
        now={now}
        wide={wide}
        selected={selection.selection.has(record.id)}
        selectable={wide || selection.isSelecting}
        actions={actions}
      />
    ))
  const fade = waiting ? 'opacity-60 transition-opacity duration-150' : undefined
  return (
    // Until the list is whole, what follows it stays below the window.
    <div className={cn(fade, items.length < records.length && 'min-h-dvh')}>
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

type ItemActions = {
  onPress: (record: OrderRecord, event: PointerEvent<HTMLElement>) => void
  onSelect: (record: OrderRecord, isRange: boolean) => void
  onStatus: OrdersListProps['onStatus']
  onDetails: OrdersListProps['onDetails']
}

/** Functions that stay the same, so that a press renders the items that it changes, and not all. */
function useItemActions(props: OrdersListProps): ItemActions {
  const latest = useRef(props)
  useLayoutEffect(() => {
    latest.current = props
  })
  return useMemo(
    () => ({
      onPress: (record, event) => {
        if (opensDetails(event)) latest.current.onPress(record)
      },
      onSelect: (record, isRange) => latest.current.selection.toggle(record.id, isRange),
      onStatus: (order, status) => latest.current.onStatus(order, status),
      onDetails: (record, opener) => latest.current.onDetails(record, opener),
    }),
    [],
  )
}

type ListItemProps = Pick<OrderItemProps, 'state' | 'isNew' | 'now' | 'selected' | 'selectable'> & {
  record: OrderRecord
  pending: OrderStatus | undefined
  wide: boolean
  actions: ItemActions
}

const ListItem = memo(function ListItem(props: ListItemProps) {
  const { record, pending, wide, actions, ...item } = props
  const order = viewOrder(record, pending)
  const Item = wide ? OrderRow : OrderCard
  return (
    <Item
      {...item}
      order={order}
      onPress={(event) => actions.onPress(record, event)}
      onSelect={(isRange) => actions.onSelect(record, isRange)}
      onStatus={(status) => actions.onStatus(order, status)}
      onDetails={({ currentTarget }) =>
        actions.onDetails(record, currentTarget.querySelector<HTMLElement>('[data-opens-details]'))
      }
    />
  )
})

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
