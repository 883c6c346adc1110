import { formatShortDay } from '@bancone/contract/dates'
import { formatPrice } from '@bancone/contract/money'
import type { PriorPrice, ShownPrice } from '@bancone/contract/offer-prices'
import { type PublicOffer, publicPrice } from '@bancone/contract/public-offers'
import type { OrderedProduct } from '@bancone/contract/whatsapp-order'

/** Label of the order button: medicines are reserved, not ordered. */
export function orderLabel(medicine: boolean): string {
  return medicine ? 'Prenota via WhatsApp' : 'Ordina via WhatsApp'
}

export function badgeText({ type, percent }: ShownPrice): string {
  if (type === 'featured') return 'In Evidenza'
  return percent > 0 ? `-${percent}%` : 'Offerta'
}

/** Text about the prior price, which the law requires beside a reduction. */
export function priorText({ cents }: Pick<PriorPrice, 'cents'>): string {
  return `Prezzo più basso degli ultimi 30 giorni: ${formatPrice(cents)}`
}

export function endText({ fields }: PublicOffer): string | null {
  return fields.Data_Fine === undefined
    ? null
    : `Valida fino al ${formatShortDay(fields.Data_Fine)}`
}

/** Notice about removed list items. @param names at least one */
export function goneText(names: readonly string[]): string {
  const said =
    names.length === 1
      ? 'Non è più in offerta e non è più nella lista'
      : 'Non sono più in offerta e non sono più nella lista'
  return `${said}: ${names.join(', ')}`
}

/** A product in a message: quantity one, unless the customer has set another. */
export function orderedProduct(
  offer: PublicOffer,
  wish: Pick<OrderedProduct, 'quantity' | 'equivalent'> = { quantity: 1, equivalent: false },
): OrderedProduct {
  const { type, cents } = publicPrice(offer)
  return {
    name: offer.fields.Nome_Prodotto,
    cents,
    discounted: type === 'discount',
    medicine: offer.medicine,
    ...wish,
  }
}
