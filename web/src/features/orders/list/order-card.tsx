import { MapPin } from 'lucide-react'
import type { MouseEvent } from 'react'
import { formatDateTime, formatRelative } from '../../../lib/format.ts'
import { cn } from '../../../ui/class-names.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Highlighted, OrderNumber } from '../data/highlighted.tsx'
import {
  DetailsButton,
  ImageLink,
  ItemStatus,
  isDetailsClick,
  itemAttributes,
  NewMark,
  type OrderItemProps,
  PickupMark,
  PrescriptionSign,
  plainInPrint,
} from './order-item.tsx'
import { SelectionBox } from './selection-box.tsx'

/** An order as a card, with the content of a table row. */
export function OrderCard(props: OrderItemProps) {
  const { order, state, isNew, now, selected, selectable, onSelect, onDetails } = props
  const relative = formatRelative(order.created, now)

  function press(event: MouseEvent<HTMLElement>) {
    if (state === 'updating' || !isDetailsClick(event)) return
    const forDetails = event.target instanceof Element && event.target.closest('button') !== null
    if (selectable && !forDetails) onSelect(event.shiftKey)
    else onDetails(event)
  }

  return (
    // The keyboard has the 'Dettagli' button; the click on the card is for fingers.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <li
      {...itemAttributes(
        props,
        'flex cursor-pointer flex-col rounded-card border border-line bg-surface p-3.5 not-print:data-new:shadow-[inset_3px_0_0_var(--c-accent)] data-[state=opened]:shadow-[inset_3px_0_0_var(--c-accent)]',
      )}
      onClick={press}
    >
      <div
        className={cn(
          'flex justify-between gap-3 text-sm text-muted tabular-nums',
          selectable ? 'items-center' : 'items-baseline',
        )}
      >
        <span
          className={cn('flex gap-2 font-medium', selectable ? 'items-center' : 'items-baseline')}
        >
          {selectable ? (
            <SelectionBox
              label={`Seleziona ordine ${order.number}`}
              checked={selected}
              className="-my-2 -ml-2.5 size-11"
              onToggle={onSelect}
            />
          ) : null}
          <span>
            <span className="sr-only">Ordine </span>
            <span aria-hidden>#</span>
            <OrderNumber number={order.number} />
          </span>
          {isNew ? <NewMark /> : <PickupMark order={order} />}
          <PrescriptionSign text={order.product ?? ''} className="self-center" />
        </span>
        <span className="shrink-0">{relative ?? null}</span>
      </div>
      <h2 className="mt-0.5 text-base leading-snug font-medium wrap-anywhere">
        {order.customer === null ? 'Cliente non indicato' : <Highlighted text={order.customer} />}
      </h2>
      <p className="mt-1.5 line-clamp-3 wrap-anywhere print:line-clamp-none">
        <span className="sr-only">Prodotto richiesto: </span>
        {order.product === null ? (
          <span className="text-muted">Nessun prodotto indicato</span>
        ) : (
          <Highlighted text={order.product} />
        )}
      </p>
      <p className="mt-1.5 flex gap-1.5 text-sm text-muted">
        <MapPin aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="wrap-anywhere">
          <span className="sr-only">Indirizzo: </span>
          {order.address === null ? (
            'Nessun indirizzo specificato'
          ) : (
            <Highlighted text={order.address} />
          )}
        </span>
      </p>
      <div className="flex min-h-11 items-center justify-between gap-3 text-sm text-muted tabular-nums">
        <span>
          <span className="sr-only">Data: </span>
          {formatDateTime(order.created)}
        </span>
        {order.image ? (
          <ImageLink {...props} />
        ) : (
          <span>
            <span className="max-[22rem]:sr-only">Immagine: </span>Non disponibile
          </span>
        )}
      </div>
      <div className={cn(plainInPrint, 'mt-auto grid grid-cols-[1fr_auto] gap-2 pt-1 print:block')}>
        <ItemStatus {...props} />
        <DetailsButton item={props} size="large" className="text-sm print:hidden" />
      </div>
    </li>
  )
}

/** As high as a card with two lines of product and one of address. */
export function SkeletonCard() {
  return (
    <div className="flex h-62 flex-col justify-between rounded-card border border-line bg-surface p-3.5">
      <Skeleton className="h-3.5 w-3/5" />
      <Skeleton className="h-3.5 w-11/12" />
      <Skeleton shape="pill" className="h-12" />
    </div>
  )
}
