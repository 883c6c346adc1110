import { ExternalLink, Phone } from 'lucide-react'
import { phoneLink } from '../../lib/links.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { Detail, Moment } from './detail.tsx'
import type { OrderView } from './order-view.ts'
import { StatusBadge } from './status-badge.tsx'

type OrderDetailsProps = {
  order: OrderView
  /** It has left the page, and nobody tells what becomes of it. */
  gone: boolean
  onClose: () => void
  onReturnFocus: () => void
}

function Contacts({ phone }: { phone: string | null }) {
  if (phone === null) return <span className="text-muted">Nessun numero di telefono</span>
  const link = phoneLink(phone)
  if (link === null) return phone
  return (
    <a
      href={link}
      className="-mx-1 inline-flex min-h-11 items-center gap-2 rounded px-1 font-medium text-accent tabular-nums underline-offset-4 hover:underline md:min-h-8 pointer-coarse:min-h-11"
    >
      <Phone aria-hidden className="size-4" />
      {phone}
    </a>
  )
}

export function OrderDetails({ order, gone, onClose, onReturnFocus }: OrderDetailsProps) {
  const footer = (
    <>
      {order.image ? (
        <a
          href={order.image}
          target="_blank"
          rel="noopener noreferrer"
          className={`${buttonStyle({ look: 'primary' })} flex-1`}
        >
          <ExternalLink aria-hidden />
          Visualizza Immagine
        </a>
      ) : null}
      <Button className="flex-1" onClick={onClose}>
        Chiudi
      </Button>
    </>
  )
  return (
    <Sheet title="Dettaglio Ordine" footer={footer} onClose={onClose} onReturnFocus={onReturnFocus}>
      {gone ? (
        <div className="mb-4">
          <Alert tone="notice">
            L'ordine non è più in questa pagina dell'elenco: nel frattempo può essere cambiato.
          </Alert>
        </div>
      ) : null}
      <dl>
        <Detail term="ID Ordine">
          <span className="text-xl font-medium tracking-tight tabular-nums">{order.number}</span>
          <span className="block font-mono text-xs text-muted">{order.recordId}</span>
        </Detail>
        <Detail term="Cliente">
          <span className="font-medium">{order.customer ?? 'Non indicato'}</span>
        </Detail>
        <Detail term="Stato">
          <StatusBadge status={order.status} />
        </Detail>
        <Detail term="Contatti">
          <Contacts phone={order.phone} />
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
        <Detail term="Prodotto Richiesto">
          {order.product ? (
            <span className="whitespace-pre-line">{order.product}</span>
          ) : (
            <span className="text-muted">Non indicato</span>
          )}
        </Detail>
      </dl>
    </Sheet>
  )
}
