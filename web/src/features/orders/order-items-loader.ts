import type { ComponentType } from 'react'
import { WIDE } from '../../lib/use-media-query.ts'
import type { OrderItemProps } from './order-item.ts'

/** The component of an order: a table row or a card. */
export type OrderItems = { wide: boolean; Item: ComponentType<OrderItemProps> }

const loaded = new Map<boolean, OrderItems>()

export function loadedOrderItems(wide: boolean): OrderItems | null {
  return loaded.get(wide) ?? null
}

/** Loads only the component for the current width. */
export async function loadOrderItems(wide: boolean): Promise<OrderItems> {
  const Item = wide
    ? (await import('./order-row.tsx')).OrderRow
    : (await import('./order-card.tsx')).OrderCard
  const items = { wide, Item }
  loaded.set(wide, items)
  return items
}

/** Starts loading before the page is rendered. If it fails, the page tries again. */
export function preloadOrderItems() {
  loadOrderItems(window.matchMedia(WIDE).matches).catch(() => undefined)
}
