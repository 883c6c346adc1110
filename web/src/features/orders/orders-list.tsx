import type { OrderRecord, OrderStatus, OrdersPage } from '@bancone/contract/orders'
import { PackageOpen } from 'lucide-react'
import { useMediaQuery, WIDE } from '../../lib/use-media-query.ts'
import { useNow } from '../../lib/use-now.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { OrderCard } from './order-card.tsx'
import type { ItemState } from './order-item.ts'
import { OrderRow } from './order-row.tsx'
import { type OrderView, viewOrder } from './order-view.ts'
import { OrdersSkeleton } from './orders-skeleton.tsx'
import { OrdersTable } from './orders-table.tsx'

type OrdersListProps = {
  page: OrdersPage | undefined
  /** The rows are those of the page before, while the one asked for is on its way. */
  waiting: boolean
  pending: ReadonlyMap<string, OrderStatus>
  arrived: ReadonlySet<string>
  isNew: (order: OrderRecord) => boolean
  changed: ReadonlySet<string>
  /** The record id of the order whose details are open. */
  opened: string | null
  filtered: boolean
  onShowAll: () => void
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
  const { page, waiting, pending, filtered, onShowAll, onStatus, onDetails } = props
  const now = useNow()
  const wide = useMediaQuery(WIDE)
  if (!page) return <OrdersSkeleton wide={wide} />
  if (page.records.length === 0) {
    return (
      <div className="rounded-card border border-line bg-surface">
        <EmptyState
          icon={<PackageOpen />}
          title="Nessun ordine trovato"
          action={filtered ? <Button onClick={onShowAll}>Mostra tutti gli ordini</Button> : null}
        >
          {filtered
            ? 'Nessun ordine ha lo stato scelto.'
            : 'Gli ordini dei tuoi clienti compariranno qui appena arrivano, senza ricaricare la pagina.'}
        </EmptyState>
      </div>
    )
  }
  const items = page.records.map((record) => {
    const Item = wide ? OrderRow : OrderCard
    const order = viewOrder(record, pending.get(record.id))
    return (
      <Item
        key={record.id}
        order={order}
        state={itemState(record.id, props)}
        isNew={props.isNew(record)}
        now={now}
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
        <OrdersTable>{items}</OrdersTable>
      ) : (
        <ul className="grid grid-cols-1 gap-2.5 md:grid-cols-2">{items}</ul>
      )}
    </div>
  )
}
