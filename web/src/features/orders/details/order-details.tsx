import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { ChevronDown, ChevronUp, MessageCircle, Phone } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { errorMessage } from '../../../lib/messages.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { useLiveOrders } from '../data/live-orders.tsx'
import { type OrderView, viewOrder } from '../data/order-view.ts'
import type { Neighbours, OpenedOrder } from '../data/use-details.ts'
import { DetailsBody } from './details-body.tsx'
import { DetailsSkeleton } from './details-section.tsx'
import { readPhone } from './phone-number.ts'
import { replyPanelId } from './reply-panel.tsx'
import type { WrittenReply } from './reply-text-form.tsx'
import { type OrderDetailsResult, useOrderDetails } from './use-order-details.ts'

export { prefetchOrder } from './use-order-details.ts'

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
  const [message, setMessage] = useState<{ recordId: string; text: WrittenReply | null } | null>(
    null,
  )
  const writing = message?.recordId === asked

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
          onWrite={() => setMessage(writing ? null : { recordId: asked, text: null })}
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
            message={writing ? message : null}
            onAsk={(text) => setMessage({ recordId: asked, text })}
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

type DetailsFooterProps = {
  phone: string | null
  /** The panel for a message to the customer is open. */
  writing: boolean
  onWrite: () => void
  onClose: () => void
}

/** Side by side on the narrowest phone, each as wide as its label. */
const action = 'grow max-md:px-2.5'

/** The most frequent actions. While a message is being written its send button is the primary one. */
function DetailsFooter({ phone, writing, onWrite, onClose }: DetailsFooterProps) {
  const number = phone === null ? null : readPhone(phone)
  return (
    <>
      {number ? (
        <>
          <Button
            look={writing ? 'secondary' : 'primary'}
            className={action}
            aria-expanded={writing}
            aria-controls={writing ? replyPanelId : undefined}
            onClick={onWrite}
          >
            <MessageCircle aria-hidden />
            WhatsApp
          </Button>
          <a href={number.call} className={`${buttonStyle()} ${action}`}>
            <Phone aria-hidden />
            Chiama
          </a>
        </>
      ) : null}
      <Button className={action} onClick={onClose}>
        Chiudi
      </Button>
    </>
  )
}

/** In place of an order that was opened by its address and is not loaded. */
function MissingDetails({ detailsQuery }: { detailsQuery: OrderDetailsResult }) {
  const { error, missing, refetch } = detailsQuery
  if (!error) return <DetailsSkeleton />
  if (missing) {
    return <Alert tone="notice">Questo ordine non c'è, oppure non è della tua farmacia.</Alert>
  }
  return (
    <RetryAlert
      onRetry={refetch}
    >{`L'ordine non si è caricato. ${errorMessage(error)}`}</RetryAlert>
  )
}

type NeighbourButtonsProps = {
  neighbours: Neighbours
  /** Number of the shown order, for screen readers: the focus stays on the button. */
  shown: string | null
}

/** Buttons to the order above and below in the list. An order that is not in the list has none. */
function NeighbourButtons({ neighbours, shown }: NeighbourButtonsProps) {
  const { previous, next, open, prefetch } = neighbours
  if (!previous && !next) return null
  return (
    <span className="flex print:hidden">
      <Button
        look="quiet"
        size="square"
        aria-label="Ordine precedente"
        title="Ordine precedente (k)"
        inactive={!previous}
        onPointerDown={() => prefetch(-1)}
        onClick={() => open(-1)}
      >
        <ChevronUp aria-hidden />
      </Button>
      <Button
        look="quiet"
        size="square"
        aria-label="Ordine successivo"
        title="Ordine successivo (j)"
        inactive={!next}
        onPointerDown={() => prefetch(1)}
        onClick={() => open(1)}
      >
        <ChevronDown aria-hidden />
      </Button>
      <span role="status" className="sr-only">
        {shown === null ? '' : `Ordine ${shown}`}
      </span>
    </span>
  )
}
