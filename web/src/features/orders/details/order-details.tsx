import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { useEffect, useRef, useState } from 'react'
import { Sheet } from '../../../ui/sheet.tsx'
import { type OrderView, viewOrder } from '../order-view.ts'
import type { OpenedOrder } from '../use-details.ts'
import { DetailsBody } from './details-body.tsx'
import { DetailsFooter } from './details-footer.tsx'
import { useOrderDetails } from './use-order-details.ts'

export type OrderDetailsProps = {
  opened: OpenedOrder
  /** The status of a pending change. */
  pending: OrderStatus | undefined
  onStatus: (order: OrderView, status: OrderStatus) => void
  /** Opens another order from the details; `onBack` returns to this one. */
  onOpen: (order: OrderRecord) => void
  onBack: () => void
  onClose: () => void
  onReturnFocus: () => void
}

/** The details of an order, in a sheet. */
export function OrderDetails(props: OrderDetailsProps) {
  const { opened, pending, onStatus, onOpen, onBack, onClose, onReturnFocus } = props
  const detailsQuery = useOrderDetails(opened)
  const order = viewOrder(detailsQuery.record, pending)
  const asked = opened.order.id
  const [writingFor, setWritingFor] = useState<string | null>(null)
  const writing = writingFor === asked

  // After switching to another order the focused element is gone.
  const top = useRef<HTMLDivElement>(null)
  const before = useRef(asked)
  useEffect(() => {
    if (before.current === asked) return
    before.current = asked
    top.current?.focus()
  }, [asked])

  return (
    <Sheet
      title="Dettaglio Ordine"
      footer={
        <DetailsFooter
          phone={order.phone}
          writing={writing}
          onWrite={() => setWritingFor(writing ? null : asked)}
          onClose={onClose}
        />
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a group of facts, not of fields */}
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
          onStatus={(status) => onStatus(viewOrder(detailsQuery.record), status)}
          onOpen={onOpen}
          onBack={onBack}
        />
      </div>
    </Sheet>
  )
}
