import type { OrderStatus } from '@bancone/contract/orders'
import { Phone } from 'lucide-react'
import { Detail, Moment } from '../detail.tsx'
import type { OrderView } from '../order-view.ts'
import { Attachments } from './attachments.tsx'
import { OrderStatusField } from './order-status-field.tsx'
import { readPhone } from './phone-number.ts'

type OrderFactsProps = {
  order: OrderView
  pending: OrderStatus | undefined
  onStatus: (status: OrderStatus) => void
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
export function OrderFacts({ order, pending, onStatus }: OrderFactsProps) {
  return (
    <dl>
      <Detail term="ID Ordine">
        <span className="text-xl font-medium tracking-tight tabular-nums">{order.number}</span>
        <span className="block font-mono text-xs text-muted">{order.recordId}</span>
      </Detail>
      <Detail term="Cliente">
        <span className="font-medium">{order.customer ?? 'Non indicato'}</span>
      </Detail>
      <Detail term="Stato">
        <OrderStatusField order={order} pending={pending} onStatus={onStatus} />
      </Detail>
      <Detail term="Contatti">
        <Contacts phone={order.phone} />
      </Detail>
      <Detail term="Prodotto Richiesto">
        {order.product ? (
          <span className="whitespace-pre-line">{order.product}</span>
        ) : (
          <span className="text-muted">Non indicato</span>
        )}
        <Attachments image={order.image} attachments={order.attachments} />
      </Detail>
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
  )
}
