import type { OrdersListQuery } from './orders-search.ts'
import { periodText } from './period-texts.ts'

/** The active filters, each as a short text. */
export function filterTexts(query: OrdersListQuery): string[] {
  const { q, stato } = query
  const words = q === undefined ? null : `«${q}»`
  return [words, stato?.join(' o ') ?? null, periodText(query)].filter((text) => text !== null)
}
