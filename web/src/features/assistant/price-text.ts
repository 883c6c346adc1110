import { formatPrice, parsePrice } from '@bancone/contract/money'

/** Error text of a typed price; null when it is valid or empty. */
export function priceProblem(text: string): string | null {
  if (text.trim() === '') return null
  const cents = parsePrice(text)
  if (cents === undefined) return 'Scrivi un prezzo, per esempio 9,90.'
  return cents === 0 ? 'Il prezzo deve essere maggiore di zero.' : null
}

/** Formats a typed price for display: `9,90 €`; unchanged when it is invalid. */
export function shownPrice(text: string): string {
  const cents = parsePrice(text)
  return cents === undefined ? text.trim() : formatPrice(cents)
}
