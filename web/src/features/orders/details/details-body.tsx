import type { OrderEvent, OrderNote, OutdatedColumn } from '@bancone/contract/order-details'
import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { ArrowLeft, Printer, Send, ShoppingBag } from 'lucide-react'
import { useContext, useDeferredValue, useMemo, useState } from 'react'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useNow } from '../../../lib/use-now.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx'
import { Prescriptions } from '../../../ui/prescriptions.tsx'
import { MessagingContext, useIssueLinks } from '../data/order-links.ts'
import { hasCustomer, type OrderView, viewOrder } from '../data/order-view.ts'
import { type OpenedOrder, orderAddress } from '../data/use-details.ts'
import { DetailsSkeleton } from './details-section.tsx'
import { EarlierOrders } from './earlier-orders.tsx'
import { HoldSection } from './hold-section.tsx'
import { OrderFacts } from './order-facts.tsx'
import { OrderHistory } from './order-history.tsx'
import { readPhone } from './phone-number.ts'
import { PrivateNotes } from './private-notes.tsx'
import { ReplyPanel } from './reply-panel.tsx'
import type { WrittenReply } from './reply-text-form.tsx'
import { useCustomerText } from './use-customer-text.ts'
import type { OrderDetailsResult } from './use-order-details.ts'

const loadSlip = async () => (await import('./order-prints.tsx')).OrderSlip
const loadLabel = async () => (await import('./order-prints.tsx')).BagLabel
const loadCorrection = async () => (await import('./correction-section.tsx')).CorrectionSection

type DetailsBodyProps = {
  order: OrderView
  pending: OrderStatus | undefined
  opened: OpenedOrder
  detailsQuery: OrderDetailsResult
  /** The message that is being written, and the text that it begins with instead of a template. */
  message: { text: WrittenReply | null } | null
  /** Writes a message that asks the customer for something. */
  onAsk: (text: WrittenReply) => void
  onStatus: (status: OrderStatus) => void
  onOpen: (order: OrderRecord) => void
  onBack: () => void
  onClose: () => void
}

export function DetailsBody(props: DetailsBodyProps) {
  const {
    order,
    pending,
    opened,
    detailsQuery,
    message,
    onAsk,
    onStatus,
    onOpen,
    onBack,
    onClose,
  } = props
  const { details, error, missing } = detailsQuery
  const loadMessaging = useContext(MessagingContext)
  const loadMessages = useMemo(
    () => loadMessaging && (async () => (await loadMessaging()).loadCustomerMessages()),
    [loadMessaging],
  )
  const hasMessages = loadMessages !== null && details !== undefined && !missing
  const customerText = useCustomerText(order, details?.earlier.records ?? [], hasMessages)
  const phone = order.phone === null ? null : readPhone(order.phone)
  // A press is answered with what the list knows of the order; the rest comes in the next moment.
  const isWhole = useDeferredValue(true, false)
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
      <OrderFacts order={order} pending={pending} onStatus={onStatus}>
        <Prescriptions
          text={customerText}
          recordId={order.recordId}
          onAsk={phone ? onAsk : undefined}
        />
      </OrderFacts>
      {isWhole ? <DetailsActions order={order} notes={details?.notes ?? []} /> : null}
      {hasMessages ? <LazyBoundary load={loadMessages} props={order} /> : null}
      {message && phone ? (
        <ReplyPanel key={message.text?.text} order={order} phone={phone} asking={message.text} />
      ) : null}
      {isWhole && details && !missing ? (
        <>
          {details.history.at(-1)?.source === 'person' ? (
            <LazyBoundary
              load={loadCorrection}
              props={{ order, isHeld: details.hold !== null, onClose }}
            />
          ) : null}
          <PrivateNotes recordId={order.recordId} notes={details.notes} />
          <EarlierOrders earlier={details.earlier} onOpen={onOpen} />
          <OrderHistory history={details.history} />
          <HoldSection order={order} hold={details.hold} />
        </>
      ) : null}
      {isWhole && !details && !error ? <DetailsSkeleton /> : null}
    </>
  )
}

/** Actions on the order in the details. */
function DetailsActions({ order, notes }: { order: OrderView; notes: readonly OrderNote[] }) {
  const [printing, setPrinting] = useState<'slip' | 'label' | null>(null)
  const onPrinted = () => setPrinting(null)
  const issueLinks = useIssueLinks()
  const [withNotes, setWithNotes] = useState(false)
  return (
    <div className="flex flex-wrap items-center gap-2 pt-1 print:hidden">
      <div className="flex flex-wrap items-center gap-x-3 not-last:mr-2">
        <Button onClick={() => setPrinting('slip')}>
          <Printer aria-hidden />
          Stampa foglio
        </Button>
        {notes.length > 0 ? (
          <label className="flex min-h-11 items-center gap-2 text-sm md:min-h-9 pointer-coarse:min-h-11">
            <input
              type="checkbox"
              checked={withNotes}
              onChange={({ target }) => setWithNotes(target.checked)}
              className="size-4.5 accent-accent"
            />
            con le note private
          </label>
        ) : null}
      </div>
      <Button onClick={() => setPrinting('label')}>
        <ShoppingBag aria-hidden />
        Etichetta sacchetto
      </Button>
      <CopyButton label="Copia link" text={orderAddress(order.recordId)} />
      {issueLinks && order.status !== 'Annullato' ? (
        <Button
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => issueLinks([order.recordId], currentTarget)}
        >
          <Send aria-hidden />
          Invia link Priority
        </Button>
      ) : null}
      <LazyBoundary
        load={loadSlip}
        props={printing === 'slip' ? { order, notes: withNotes ? notes : [], onPrinted } : null}
        onLoadError={onPrinted}
      />
      <LazyBoundary
        load={loadLabel}
        props={printing === 'label' ? { order, onPrinted } : null}
        onLoadError={onPrinted}
      />
    </div>
  )
}

type DetailsNoticeProps = {
  detailsQuery: OrderDetailsResult
  /** The order is on no page that is kept up to date. */
  gone: boolean
}

/** Which details could not be loaded, and how old the shown ones are. */
function DetailsNotice({ detailsQuery, gone }: DetailsNoticeProps) {
  const now = useNow()
  const { details, error, missing, dataUpdatedAt, isFetching } = detailsQuery
  if (!error) return null
  const since = details ? formatRelative(new Date(dataUpdatedAt).toISOString(), now) : null
  const again = (
    <Button size="small" inactive={isFetching} onClick={detailsQuery.refetch}>
      Riprova
    </Button>
  )
  return (
    <div className="mb-4 flex flex-col gap-2 print:hidden">
      {missing ? (
        <Alert tone="notice">
          L'ordine non esiste più: questi sono gli ultimi dati disponibili.
        </Alert>
      ) : (
        <>
          {gone && !details ? (
            <Alert tone="notice">
              L'ordine non è più in questa pagina dell'elenco: nel frattempo può essere cambiato.
            </Alert>
          ) : null}
          <Alert tone={details ? 'notice' : 'error'} action={again}>
            {details
              ? `Impossibile aggiornare il dettaglio, letto ${since ?? 'tempo fa'}.`
              : `Cronologia, note e altri ordini non si sono caricati. ${errorMessage(error)}`}
          </Alert>
        </>
      )}
    </div>
  )
}

const reasonText: Record<OutdatedColumn['reason'], string> = {
  missing: 'la colonna manca nella tabella',
  unreadable: 'la cella non contiene un testo che si legge',
}

/** Which fields of the order may be old, because Airtable does not tell them. */
function OutdatedNotice({ outdated }: { outdated: readonly OutdatedColumn[] }) {
  if (outdated.length === 0) return null
  return (
    <div className="mb-4">
      <Alert tone="notice">
        Da Airtable non arriva più tutto: questi dati possono essere vecchi.
        <ul className="mt-1 list-disc pl-5">
          {outdated.map(({ column, reason }) => (
            <li key={column}>
              {column}: {reasonText[reason]}
            </li>
          ))}
        </ul>
      </Alert>
    </div>
  )
}

type ErasedNoticeProps = { order: OrderView; history: readonly OrderEvent[] }

/** Why an order has no customer: the data have expired, or were erased on request. */
function ErasedNotice({ order, history }: ErasedNoticeProps) {
  if (hasCustomer(order)) return null
  const erasure = history.find(({ kind, source }) => kind === 'content' && source === 'system')
  if (!erasure) return null
  return (
    <div className="mb-4">
      <Alert tone="notice">
        I dati del cliente sono stati eliminati ({formatDateTime(erasure.at)}).
      </Alert>
    </div>
  )
}
