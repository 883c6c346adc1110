import type { OrderStatus } from '@bancone/contract/orders'
import { ExternalLink, ScanBarcode } from 'lucide-react'
import type { ComponentProps, MouseEvent, PointerEvent } from 'react'
import { usePrescriptionCodes } from '../../../lib/use-prescription-codes.ts'
import { Button } from '../../../ui/button.tsx'
import { cn } from '../../../ui/class-names.ts'
import { StatusSelect } from '../change/status-select.tsx'
import { ageing } from '../data/ageing.ts'
import { type OrderView, pickupTexts } from '../data/order-view.ts'
import { statusControlId } from '../data/orders-focus.ts'

/** The state of a row; the first one that applies. */
export type ItemState = 'updating' | 'opened' | 'changed' | 'arrived'

/** The props shared by rows and cards. */
export type OrderItemProps = {
  order: OrderView
  state: ItemState | undefined
  /** No user of the pharmacy has seen it. */
  isNew: boolean
  now: number
  selected: boolean
  /** Whether it can be selected: cards only in selection mode. */
  selectable: boolean
  /** @param isRange select all orders between this one and the one selected before */
  onSelect: (isRange: boolean) => void
  onStatus: (status: OrderStatus) => void
  /** Called when a pointer goes down on the item. */
  onPress: (event: PointerEvent<HTMLElement>) => void
  /** Called for a click on the 'Dettagli' button or outside the controls of the item. */
  onDetails: (event: MouseEvent<HTMLElement>) => void
}

/** Background colours by state. Where a state has a meaning it is also shown by a bar, a spinner or a toast. */
const tint = [
  // The keyboard shortcuts act on the focused item, so it is always highlighted.
  'focus-within:bg-sunken has-[input:checked]:bg-accent-soft',
  'data-[state=updating]:cursor-progress data-[state=updating]:bg-sunken',
  // The green flash is for external changes. The user's own change keeps the colour of the pending state.
  'data-[state=opened]:bg-accent-soft data-[state=changed]:bg-sunken data-[state=arrived]:animate-arrival',
  // Keeps the focused item clear of the sticky bars.
  'scroll-mt-28 scroll-mb-28 focus-visible:outline-2 focus-visible:-outline-offset-2',
]

/** The attributes shared by rows and cards. @param className has the colours by state as well */
export function itemAttributes(
  { order, state, isNew, onPress }: OrderItemProps,
  className: string,
) {
  return {
    onPointerDown: onPress,
    tabIndex: -1,
    'data-order': order.recordId,
    'data-state': state,
    'data-new': isNew || undefined,
    'aria-busy': state === 'updating',
    className: cn(className, tint),
  }
}

/**
 * Whether a click on a row should open the details. Not a click on a control or link, not the end of a text
 * selection, and not the second click of a double click: it may be meant for what was there before the page moved.
 */
export function isDetailsClick({ target, detail }: MouseEvent): boolean {
  if (!(target instanceof Element) || detail > 1) return false
  const control = target.closest('button, a, select, input, label')
  if (control) return control.matches('[data-opens-details]')
  return !window.getSelection()?.toString()
}

/** Whether a press will open the details, as far as can be told. A finger on a row may only begin to scroll. */
export function opensDetails({ target, pointerType, button }: PointerEvent): boolean {
  if (!(target instanceof Element) || button !== 0) return false
  const control = target.closest('button, a, select, input, label')
  return control ? control.matches('[data-opens-details]') : pointerType === 'mouse'
}

/** Prints the status as icon and text, not as a control. */
export const plainInPrint =
  'print:*:min-h-0 print:*:border-0 print:*:bg-transparent print:*:p-0 print:*:text-ink'

export function ItemStatus({ order, state, now, onStatus }: OrderItemProps) {
  return (
    <StatusSelect
      id={statusControlId(order.recordId)}
      status={order.status}
      label={`Stato ordine ${order.number}`}
      updating={state === 'updating'}
      ageing={ageing(order, now)}
      onChange={onStatus}
    />
  )
}

type DetailsButtonProps = Pick<ComponentProps<typeof Button>, 'size' | 'className'> & {
  item: OrderItemProps
}

export function DetailsButton({ item: { order, state }, ...props }: DetailsButtonProps) {
  return (
    <Button
      data-opens-details
      inactive={state === 'updating'}
      aria-label={`Dettagli ordine ${order.number}`}
      {...props}
    >
      Dettagli
    </Button>
  )
}

/** Badge of an order that no user of the pharmacy has seen. */
export function NewMark() {
  return (
    <span className="inline-flex items-center gap-1 rounded-full bg-accent-soft px-1.5 text-xs leading-4.5 font-medium text-accent print:hidden">
      <span aria-hidden className="size-1.5 rounded-full bg-accent" />
      Nuovo
    </span>
  )
}

/** Whether the order, or a part of it, waits for its customer, or is collected. */
export function PickupMark({ order }: Pick<OrderItemProps, 'order'>) {
  return pickupTexts(order).map((text) =>
    text ? (
      <span
        key={text}
        className={cn(
          'text-xs leading-4.5 font-medium tracking-tight whitespace-nowrap',
          order.pickup === 'ready' ? 'text-confirmed' : 'text-muted',
        )}
      >
        {text}
      </span>
    ) : null,
  )
}

function stay(event: MouseEvent) {
  event.preventDefault()
}

/** Visible and focusable, but not clickable during an update. */
export function ImageLink({ order, state }: OrderItemProps) {
  const { image, number, attachments } = order
  const inactive = state === 'updating'
  if (image === null) return <span className="text-muted">Non disponibile</span>
  const link = (
    <a
      href={image}
      target="_blank"
      rel="noopener noreferrer"
      aria-disabled={inactive || undefined}
      onClick={inactive ? stay : undefined}
      onAuxClick={inactive ? stay : undefined}
      className="inline-flex min-h-11 items-center gap-1 rounded font-medium text-accent underline-offset-4 not-aria-disabled:hover:underline aria-disabled:opacity-55 lg:min-h-8 pointer-coarse:min-h-11"
    >
      Visualizza
      <span className="sr-only"> l'immagine dell'ordine {number} in una nuova scheda</span>
      <ExternalLink aria-hidden className="size-3.5 shrink-0 lg:max-xl:hidden" />
    </a>
  )
  if (attachments.length < 2) return link
  return (
    <span className="grid">
      {link}
      <span className="text-xs whitespace-nowrap text-muted">{attachments.length} allegati</span>
    </span>
  )
}

/** Shows, in a list, that a text has codes of prescriptions. */
export function PrescriptionSign({ text, className }: { text: string; className?: string }) {
  if (usePrescriptionCodes(text).length === 0) return null
  return (
    <span title="Con i codici di una ricetta" className={cn('text-muted print:hidden', className)}>
      <ScanBarcode aria-hidden className="size-4" />
      <span className="sr-only">Con i codici di una ricetta</span>
    </span>
  )
}
