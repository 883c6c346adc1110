import type { ComponentType } from 'react'
import { WIDE } from '../../lib/use-media-query.ts'
import type { OrderItemProps } from './order-item.ts'

/** What an order is shown with: a row of the table, or a card of the list. */
export type OrderItems = { wide: boolean; Item: ComponentType<OrderItemProps> }

const there = new Map<boolean, OrderItems>()

export function orderItemsThere(wide: boolean): OrderItems | null {
  return there.get(wide) ?? null
}

/** A window has room for one of them at a time, so only that one's code is asked for. */
export async function loadOrderItems(wide: boolean): Promise<OrderItems> {
  const Item = wide
    ? (await import('./order-row.tsx')).OrderRow
    : (await import('./order-card.tsx')).OrderCard
  const items = { wide, Item }
  there.set(wide, items)
  return items
}

/** Begins before the page that shows them is there. Should it fail, the page asks again. */
export function beginOrderItems() {
  loadOrderItems(window.matchMedia(WIDE).matches).catch(() => undefined)
}
