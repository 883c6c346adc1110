import { formatPrice, parsePrice } from '@bancone/contract/money'

/** Cents as they stand in a field: `1.234,50`. */
export function priceText(cents: number): string {
  return formatPrice(cents).replace('€', '').trim()
}

/** What is wrong with a price as it was typed; null when nothing is, or nothing was typed. */
export function priceProblem(text: string): string | null {
  if (text.trim() === '') return null
  const cents = parsePrice(text)
  if (cents === undefined) return 'Scrivi un prezzo, per esempio 9,90.'
  return cents === 0 ? 'Il prezzo deve essere maggiore di zero.' : null
}

/** As it is shown to others: `9,90 €`; as it was typed where it is no price. */
export function shownPrice(text: string): string {
  const cents = parsePrice(text)
  return cents === undefined ? text.trim() : formatPrice(cents)
}
