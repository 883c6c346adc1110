import { MapPin } from 'lucide-react'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { meansDetails } from './details-click.ts'
import { ImageLink } from './image-link.tsx'
import type { OrderItemProps } from './order-item.ts'
import { StatusSelect } from './status-select.tsx'

/** An order on a phone: what the row of the table holds, one under the other. */
export function OrderCard({
  order,
  updating,
  arrived,
  now,
  onStatus,
  onDetails,
  onNear,
}: OrderItemProps) {
  const relative = formatRelative(order.created, now)
  return (
    // The keyboard has the 'Dettagli' button; the click on the card is for fingers.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <li
      aria-busy={updating}
      onClick={(event) => (meansDetails(event) ? onDetails(event) : undefined)}
      onPointerEnter={onNear}
      className={cn(
        'cursor-pointer rounded-card border border-line bg-surface p-3.5',
        arrived && 'animate-arrival shadow-[inset_3px_0_0_var(--c-accent)]',
      )}
    >
      <div className="flex items-baseline justify-between gap-3 text-[13px] text-muted tabular-nums">
        <span className="font-medium wrap-anywhere">
          <span className="sr-only">Ordine </span>
          <span aria-hidden>#</span>
          {order.number}
        </span>
        <span className="shrink-0">{relative ?? null}</span>
      </div>
      <h2 className="mt-0.5 text-base leading-snug font-semibold wrap-anywhere">
        {order.customer ?? 'Cliente non indicato'}
      </h2>
      <p className="mt-1.5 line-clamp-3 text-[15px] wrap-anywhere">
        <span className="sr-only">Prodotto richiesto: </span>
        {order.product ?? <span className="text-muted">Nessun prodotto indicato</span>}
      </p>
      <p className="mt-1.5 flex gap-1.5 text-sm text-muted">
        <MapPin aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="wrap-anywhere">
          <span className="sr-only">Indirizzo: </span>
          {order.address ?? 'Nessun indirizzo specificato'}
        </span>
      </p>
      <div className="flex min-h-11 items-center justify-between gap-3 text-sm text-muted tabular-nums">
        <span>
          <span className="sr-only">Data: </span>
          {formatDateTime(order.created)}
        </span>
        {order.image ? (
          <ImageLink image={order.image} number={order.number} />
        ) : (
          <span>
            <span className="max-[22rem]:sr-only">Immagine: </span>Non disponibile
          </span>
        )}
      </div>
      <div className="mt-1 grid grid-cols-[1fr_auto] gap-2">
        <StatusSelect
          status={order.status}
          label={`Stato ordine ${order.number}`}
          updating={updating}
          onChange={onStatus}
        />
        <Button
          data-opens-details
          onFocus={onNear}
          size="large"
          disabled={updating}
          aria-label={`Dettagli ordine ${order.number}`}
          className="text-sm"
        >
          Dettagli
        </Button>
      </div>
    </li>
  )
}
