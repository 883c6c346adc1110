import type { OrdersAsked } from './orders-search.ts'
import { periodText } from './period-texts.ts'

/** What is asked for of the orders, each in a few words. */
export function filterTexts(asked: OrdersAsked): string[] {
  const { q, stato } = asked
  const words = q === undefined ? null : `«${q}»`
  return [words, stato?.join(' o ') ?? null, periodText(asked)].filter((text) => text !== null)
}
