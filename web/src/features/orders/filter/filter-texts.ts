import type { OrdersListQuery } from '../data/orders-search.ts'
import { periodText } from './period-texts.ts'

/** The chosen statuses; null for all. */
export function statusText({ stato, ritardo }: OrdersListQuery): string | null {
  return ritardo ? 'In ritardo' : (stato?.join(' o ') ?? null)
}

/** The active filters, each as a short text. */
export function filterTexts(query: OrdersListQuery): string[] {
  const words = query.q === undefined ? null : `«${query.q}»`
  return [words, statusText(query), periodText(query)].filter((text) => text !== null)
}
