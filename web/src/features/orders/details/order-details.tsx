import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Sheet } from '../../../ui/sheet.tsx'
import { useLiveOrders } from '../live-orders.tsx'
import { type OrderView, viewOrder } from '../order-view.ts'
import type { OpenedOrder } from '../use-details.ts'
import type { Neighbours } from '../use-order-editing.ts'
import { DetailsBody } from './details-body.tsx'
import { DetailsFooter } from './details-footer.tsx'
import { MissingDetails } from './missing-details.tsx'
import { NeighbourButtons } from './neighbour-buttons.tsx'
import { useOrderDetails } from './use-order-details.ts'

export type OrderDetailsProps = {
  opened: OpenedOrder
  /** The status of a pending change. */
  pending: OrderStatus | undefined
  neighbours: Neighbours
  onStatus: (order: OrderView, status: OrderStatus) => void
  /** Opens another order from the details; `onBack` returns to this one. */
  onOpen: (order: OrderRecord) => void
  onBack: () => void
  onClose: () => void
  onReturnFocus: () => void
}

/** The details of an order, in a sheet. */
export function OrderDetails(props: OrderDetailsProps) {
  const { opened, pending, neighbours, onStatus, onOpen, onBack, onClose, onReturnFocus } = props
  const detailsQuery = useOrderDetails(opened)
  const { record } = detailsQuery
  const order = record && viewOrder(record, pending)
  const asked = opened.id
  const [writingFor, setWritingFor] = useState<string | null>(null)
  const writing = writingFor === asked

  const { markSeen } = useLiveOrders()
  const show = useEffectEvent(() => record && markSeen(record))
  const shown = record?.id
  useEffect(() => void (shown && show()), [shown])

  // After switching to another order the focused element is gone, except a button above the order.
  const top = useRef<HTMLDivElement>(null)
  const before = useRef(asked)
  useEffect(() => {
    if (before.current === asked) return
    before.current = asked
    if (!document.activeElement?.closest('header')) top.current?.focus()
  }, [asked])

  return (
    <Sheet
      hasEntry
      title="Dettaglio Ordine"
      actions={<NeighbourButtons neighbours={neighbours} shown={order?.number ?? null} />}
      footer={
        <DetailsFooter
          phone={order?.phone ?? null}
          writing={writing}
          onWrite={() => setWritingFor(writing ? null : asked)}
          onClose={onClose}
        />
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      {record && order ? (
        // biome-ignore lint/a11y/useSemanticElements: a group of facts, not of fields
        <div
          key={asked}
          ref={top}
          role="group"
          aria-label={`Ordine ${order.number}`}
          tabIndex={-1}
          className="outline-none"
        >
          <DetailsBody
            order={order}
            pending={pending}
            opened={opened}
            detailsQuery={detailsQuery}
            writing={writing}
            onStatus={(status) => onStatus(viewOrder(record), status)}
            onOpen={onOpen}
            onBack={onBack}
            onClose={onClose}
          />
        </div>
      ) : (
        <MissingDetails detailsQuery={detailsQuery} />
      )}
    </Sheet>
  )
}
