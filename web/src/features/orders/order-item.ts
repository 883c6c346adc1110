import type { OrderStatus } from '@bancone/contract/orders'
import type { MouseEvent } from 'react'
import type { OrderView } from './order-view.ts'

/** What is going on with an order; the first that applies. */
export type ItemState = 'updating' | 'opened' | 'changed' | 'arrived'

/** What a row of the table and a card of the list receive alike. */
export type OrderItemProps = {
  order: OrderView
  state: ItemState | undefined
  /** Nobody of the pharmacy has seen it. */
  isNew: boolean
  now: number
  selected: boolean
  /** It can be selected: on a phone only for who wants to. */
  selectable: boolean
  /** @param range with all between it and the one selected before */
  onSelect: (range: boolean) => void
  onStatus: (status: OrderStatus) => void
  /** From the 'Dettagli' button, or from anywhere in the item that is no control. */
  onDetails: (event: MouseEvent<HTMLElement>) => void
}

/** The grounds of the states. Where one carries a meaning, a bar, a spinner or a toast says it too. */
export const itemTint = [
  // Where the focus is, the keys act: that shows however it came there.
  'focus-within:bg-sunken has-[input:checked]:bg-accent-soft',
  'data-[state=updating]:cursor-progress data-[state=updating]:bg-sunken',
  // The green flash is for what is new from outside: one's own change stays on the ground of its wait.
  'data-[state=opened]:bg-accent-soft data-[state=changed]:bg-sunken data-[state=arrived]:animate-arrival',
  // The one with the focus, clear of what stays at the top and at the bottom of the window.
  'scroll-mt-28 scroll-mb-28 focus-visible:outline-2 focus-visible:-outline-offset-2',
]

/** Where the status of the order is changed, to give the focus back to it. */
export function statusControlId(recordId: string): string {
  return `status-${recordId}`
}
