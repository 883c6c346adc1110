import type { OrderStatus } from '@bancone/contract/orders'
import type { MouseEvent } from 'react'
import type { OrderView } from './order-view.ts'

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
  /** Called for a click on the 'Dettagli' button or outside the controls of the item. */
  onDetails: (event: MouseEvent<HTMLElement>) => void
}

/** Background colours by state. Where a state has a meaning it is also shown by a bar, a spinner or a toast. */
export const itemTint = [
  // The keyboard shortcuts act on the focused item, so it is always highlighted.
  'focus-within:bg-sunken has-[input:checked]:bg-accent-soft',
  'data-[state=updating]:cursor-progress data-[state=updating]:bg-sunken',
  // The green flash is for external changes. The user's own change keeps the colour of the pending state.
  'data-[state=opened]:bg-accent-soft data-[state=changed]:bg-sunken data-[state=arrived]:animate-arrival',
  // Keeps the focused item clear of the sticky bars.
  'scroll-mt-28 scroll-mb-28 focus-visible:outline-2 focus-visible:-outline-offset-2',
]

/** Id of the status select, to return the focus to it. */
export function statusControlId(recordId: string): string {
  return `status-${recordId}`
}
