import { formatPrice } from './money.ts'

/** Of one product in a message: how many, and whether an equivalent one will do. */
export type OrderedProduct = {
  name: string
  /** What one of them costs. */
  cents: number
  quantity: number
  equivalent: boolean
  /** Its price is lower than before. */
  discounted: boolean
  medicine: boolean
}

/** The most products in one message: a link can be only so long. */
export const MOST_ORDERED = 20
export const MOST_QUANTITY = 99

/** What the customer says to the pharmacy: one product as it stands, or several with numbers. */
export function orderMessage(products: readonly OrderedProduct[]): string {
  const asks = products.some(({ medicine }) => medicine) ? 'prenotare' : 'ordinare'
  const several = products.length > 1
  const blocks = products.map((product, index) =>
    [
      several ? `${index + 1}) ${product.name}` : `Prodotto: ${product.name}`,
      `${product.discounted ? 'Prezzo scontato' : 'Prezzo'}: ${priceText(product.cents)}`,
      `Quantità: ${product.quantity}`,
      `Equivalente: ${product.equivalent ? 'sì' : 'no'}`,
    ].join('\n'),
  )
  const opening = `Ciao, vorrei ${asks}:`
  return several ? [opening, ...blocks].join('\n\n') : [opening, ...blocks].join('\n')
}

/** Without the space that does not break, which some keyboards show as a sign of its own. */
function priceText(cents: number): string {
  return formatPrice(cents).replaceAll('\u00a0', ' ')
}

/**
 * Opens a chat with a text that is ready to be sent.
 * @param number digits alone, the country's first
 */
export function whatsAppLink(number: string, text: string): string {
  return `https://wa.me/${number}?text=${encodeURIComponent(text)}`
}
