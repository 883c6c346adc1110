import type { OrderAttachment, OrderStatus } from '@bancone/contract/orders'
import { Download, ExternalLink, Phone, Undo2 } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Alert } from '../../../ui/alert.tsx'
import { Button, buttonStyle } from '../../../ui/button.tsx'
import { StatusSelect } from '../change/status-select.tsx'
import { Detail, Moment } from '../data/detail.tsx'
import { knownStatus } from '../data/order-status.tsx'
import type { OrderView } from '../data/order-view.ts'
import { OrderText } from './order-text.tsx'
import { readPhone } from './phone-number.ts'
import { PickupField } from './pickup-field.tsx'

type OrderFactsProps = {
  order: OrderView
  pending: OrderStatus | undefined
  onStatus: (status: OrderStatus) => void
  /** The codes of the requested product, below it: the counter needs them first. */
  children: ReactNode
}

function Contacts({ phone }: { phone: string | null }) {
  if (phone === null) return <span className="text-muted">Nessun numero di telefono</span>
  const number = readPhone(phone)
  if (number === null) {
    return (
      <>
        {phone}
        <span className="block text-sm text-muted">
          Numero non riconosciuto: da qui non si può chiamare né scrivere.
        </span>
      </>
    )
  }
  return (
    <a
      href={number.call}
      className="-mx-1 inline-flex min-h-11 items-center gap-2 rounded px-1 font-medium text-accent tabular-nums underline-offset-4 hover:underline md:min-h-8 pointer-coarse:min-h-11"
    >
      <Phone aria-hidden className="size-4" />
      {phone}
    </a>
  )
}

/** The fields of the order, the most needed ones first. */
export function OrderFacts({ order, pending, onStatus, children }: OrderFactsProps) {
  return (
    <>
      <dl>
        <Detail term="ID Ordine">
          <span className="text-xl font-medium tracking-tight tabular-nums">{order.number}</span>
          <span className="block font-mono text-xs text-muted">{order.recordId}</span>
        </Detail>
        <Detail term="Cliente">
          <span className="font-medium">{order.customer ?? 'Non indicato'}</span>
        </Detail>
        <Detail term="Stato">
          <OrderStatusField {...{ order, pending, onStatus }} />
          {order.status === 'Annullato' && order.pickup === 'none' ? null : (
            <PickupField order={order} />
          )}
        </Detail>
        <Detail term="Contatti">
          <Contacts phone={order.phone} />
        </Detail>
        <Detail term="Prodotto Richiesto">
          {order.product ? (
            <OrderText order={order} />
          ) : (
            <span className="text-muted">Non indicato</span>
          )}
          <Attachments image={order.image} attachments={order.attachments} />
        </Detail>
      </dl>
      {children}
      <dl className="border-t border-line pt-3">
        <Detail term="Indirizzo">
          {order.address ?? <span className="text-muted">Nessun indirizzo specificato</span>}
        </Detail>
        <Detail term="Data Ordine">
          <Moment value={order.created} />
        </Detail>
        <Detail term="Ultimo Aggiornamento">
          <Moment value={order.updated} />
        </Detail>
      </dl>
    </>
  )
}

/** The media types of pictures that a browser shows; others are downloaded. */
const PICTURE = /^image\/(avif|gif|jpeg|png|webp)$/

const number = new Intl.NumberFormat('it-IT', { maximumFractionDigits: 1 })

function sizeText(bytes: number | null): string | null {
  if (bytes === null) return null
  const isSmall = bytes < 1_000_000
  const value = isSmall ? Math.ceil(bytes / 1_000) : bytes / 1_000_000
  return `${number.format(value)}\u00a0${isSmall ? 'kB' : 'MB'}`
}

type AttachmentLinkProps = { href: string; file: OrderAttachment | undefined; place?: string }

function AttachmentLink({ href, file, place }: AttachmentLinkProps) {
  const isPicture = PICTURE.test(file?.type ?? 'image/jpeg')
  const said = [file?.name, sizeText(file?.bytes ?? null)].filter(Boolean)
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer" className={buttonStyle()}>
        {isPicture ? <ExternalLink aria-hidden /> : <Download aria-hidden />}
        {isPicture ? 'Visualizza Immagine' : 'Scarica allegato'}
        {place ? <span className="sr-only"> {place}</span> : null}
      </a>
      {said.length > 0 ? (
        <span className="text-sm wrap-anywhere text-muted">{said.join(' · ')}</span>
      ) : null}
    </>
  )
}

/** The picture of an order; or all attachments with their names and sizes, where there are several or one is no picture. */
function Attachments({ image, attachments }: Pick<OrderView, 'image' | 'attachments'>) {
  if (image === null) return null
  const line = 'flex flex-wrap items-center gap-x-3 gap-y-1'
  if (attachments.length < 2) {
    return (
      <span className={`mt-2 print:hidden ${line}`}>
        <AttachmentLink href={image} file={attachments[0]} />
      </span>
    )
  }
  return (
    <ul aria-label={`${attachments.length} allegati`} className="mt-2 grid gap-3 print:hidden">
      {attachments.map((file, index) => (
        <li key={file.url} className={line}>
          <AttachmentLink
            href={file.url}
            file={file}
            place={`${index + 1} di ${attachments.length}`}
          />
        </li>
      ))}
    </ul>
  )
}

/** The status with its select, and the way back from a change beside it. */
function OrderStatusField({ order, pending, onStatus }: Omit<OrderFactsProps, 'children'>) {
  const id = useId()
  const { done, failed, forget } = useStatusOutcome(order.status, pending)
  const updating = pending !== undefined
  const former = done === null || done.from === order.status ? null : done.from

  function undo(status: OrderStatus) {
    // The button disappears.
    document.getElementById(id)?.focus()
    onStatus(status)
  }

  return (
    <div aria-busy={updating} className="flex flex-col gap-2 py-1">
      <span className="flex items-center gap-2">
        <span className="flex max-w-64 min-w-0 flex-1">
          <StatusSelect
            id={id}
            status={order.status}
            label={`Stato ordine ${order.number}`}
            updating={updating}
            onChange={onStatus}
          />
        </span>
        {former === null ? null : (
          <Button look="quiet" className="max-md:px-2 print:hidden" onClick={() => undo(former)}>
            <Undo2 aria-hidden />
            Annulla modifica
          </Button>
        )}
      </span>
      <span role="status" className="sr-only">
        {updating ? 'Aggiornamento dello stato…' : done ? `Stato aggiornato: ${done.to}` : ''}
      </span>
      {failed ? (
        <Alert
          tone="error"
          action={
            <span className="flex gap-2">
              <Button size="small" onClick={() => onStatus(failed)}>
                Riprova
              </Button>
              <Button size="small" look="quiet" onClick={forget}>
                Lascia così
              </Button>
            </span>
          }
        >
          Lo stato non è diventato «{failed}».
        </Alert>
      ) : null}
    </div>
  )
}

/**
 * The outcome of a status change made while the details are open, which they show themselves.
 *
 * @param status the shown status
 * @param pending the wanted status while the change is pending
 */
function useStatusOutcome(status: string, pending: OrderStatus | undefined) {
  /** The status when no change was pending. */
  const [settled, setSettled] = useState(status)
  const [asked, setAsked] = useState<OrderStatus | null>(null)
  const [done, setDone] = useState<{ from: OrderStatus | null; to: OrderStatus } | null>(null)
  if (pending !== undefined && pending !== asked) {
    setAsked(pending)
    setDone(null)
  }
  if (pending === undefined && settled !== status) setSettled(status)
  const isOver = asked !== null && pending === undefined
  if (isOver && asked === status) {
    setAsked(null)
    setDone({ from: knownStatus(settled), to: asked })
  }
  return {
    /** The status that was set, and the one before; null for a text that cannot be written again. */
    done,
    /** The status that could not be set. */
    failed: isOver && asked !== status ? asked : null,
    forget: () => setAsked(null),
  }
}
