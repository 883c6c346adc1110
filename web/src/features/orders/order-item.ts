import type { OrderStatus } from '@bancone/contract/orders'
import type { MouseEvent } from 'react'
import type { OrderView } from './order-view.ts'

/** What a row of the table and a card of the list receive alike. */
export type OrderItemProps = {
  order: OrderView
  updating: boolean
  arrived: boolean
  now: number
  onStatus: (status: OrderStatus) => void
  /** From the 'Dettagli' button, or from anywhere in the item that is no control. */
  onDetails: (event: MouseEvent<HTMLElement>) => void
  /** A pointer or the focus has come near: the details may be asked for next. */
  onNear: () => void
}
