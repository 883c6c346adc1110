import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { ArrowLeft } from 'lucide-react'
import { useContext, useMemo } from 'react'
import { LazyBoundary } from '../../../lib/lazy-boundary.tsx'
import { Button } from '../../../ui/button.tsx'
import { notifyChunkFailure } from '../../../ui/chunk-failure.ts'
import { MessagingContext } from '../order-links.ts'
import { type OrderView, viewOrder } from '../order-view.ts'
import type { OpenedOrder } from '../use-details.ts'
import { DetailsActions } from './details-actions.tsx'
import { DetailsNotice } from './details-notice.tsx'
import { DetailsSkeleton } from './details-skeleton.tsx'
import { EarlierOrders } from './earlier-orders.tsx'
import { ErasedNotice } from './erased-notice.tsx'
import { HoldSection } from './hold-section.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderHistory } from './order-history.tsx'
import { OutdatedNotice } from './outdated-notice.tsx'
import { readPhone } from './phone-number.ts'
import { PrivateNotes } from './private-notes.tsx'
import { ReplyPanel } from './reply-panel.tsx'
import type { OrderDetailsResult } from './use-order-details.ts'

const loadCorrection = async () => (await import('./correction-section.tsx')).CorrectionSection

type DetailsBodyProps = {
  order: OrderView
  pending: OrderStatus | undefined
  opened: OpenedOrder
  detailsQuery: OrderDetailsResult
  writing: boolean
  onStatus: (status: OrderStatus) => void
  onOpen: (order: OrderRecord) => void
  onBack: () => void
  onClose: () => void
}

export function DetailsBody(props: DetailsBodyProps) {
  const { order, pending, opened, detailsQuery, writing, onStatus, onOpen, onBack, onClose } = props
  const { details, error, missing } = detailsQuery
  const loadMessaging = useContext(MessagingContext)
  const loadMessages = useMemo(
    () => loadMessaging && (async () => (await loadMessaging()).loadCustomerMessages()),
    [loadMessaging],
  )
  const phone = order.phone === null ? null : readPhone(order.phone)
  return (
    <>
      {opened.from ? (
        <Button look="link" className="mb-2 px-0 print:hidden" onClick={onBack}>
          <ArrowLeft aria-hidden />
          Torna all'ordine {viewOrder(opened.from).number}
        </Button>
      ) : null}
      <DetailsNotice detailsQuery={detailsQuery} gone={opened.gone} />
      <ErasedNotice order={order} history={details?.history ?? []} />
      <OutdatedNotice outdated={details?.outdated ?? []} />
      <OrderFacts order={order} pending={pending} onStatus={onStatus} />
      <DetailsActions order={order} notes={details?.notes ?? []} />
      {loadMessages && details && !missing ? (
        <LazyBoundary
          load={loadMessages}
          activeKey="messages"
          props={order}
          onLoadError={notifyChunkFailure}
        />
      ) : null}
      {writing && phone ? <ReplyPanel order={order} phone={phone} /> : null}
      {details && !missing ? (
        <>
          {details.history.at(-1)?.source === 'person' ? (
            <LazyBoundary
              load={loadCorrection}
              activeKey="correction"
              props={{ order, isHeld: details.hold !== null, onClose }}
              onLoadError={notifyChunkFailure}
            />
          ) : null}
          <PrivateNotes recordId={order.recordId} notes={details.notes} />
          <EarlierOrders earlier={details.earlier} onOpen={onOpen} />
          <OrderHistory history={details.history} />
          <HoldSection order={order} hold={details.hold} />
        </>
      ) : null}
      {!details && !error ? <DetailsSkeleton /> : null}
    </>
  )
}
