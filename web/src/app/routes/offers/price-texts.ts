import { formatPrice } from '@bancone/contract/money'
import { discountPercent, type PriorPrice, shownPrice } from '@bancone/contract/offer-prices'
import type { PriceCheck } from '@bancone/contract/offers'

/** How customers will see the price. */
export function offerPreview(list: number, offer: number, prior: PriorPrice | null): string {
  const { type, percent } = shownPrice(list, offer, prior)
  return type === 'discount'
    ? `Offerta con sconto del ${percent}%`
    : 'Prodotto in evidenza (nessuno sconto)'
}

/** What to know before these prices are published. The offer can be saved all the same. */
export function priceWarnings(
  list: number,
  offer: number,
  { prior, raisedFrom, otherPrice }: PriceCheck,
): string[] {
  return [
    priorWarning(list, offer, prior),
    raisedFrom &&
      `Il prezzo di listino di questo prodotto era ${formatPrice(raisedFrom)}: controlla che ${formatPrice(list)} sia giusto. L'aumento resta registrato.`,
    otherPrice &&
      `Lo stesso prodotto è già in un'altra offerta attiva a ${formatPrice(otherPrice)}: i clienti vedranno due prezzi diversi.`,
  ].filter((text) => text !== null && text !== 0)
}

/** Why customers see no discount, or another one than the list price suggests; null when they see that one. */
function priorWarning(list: number, offer: number, prior: PriorPrice | null): string | null {
  if (offer >= list) return null
  if (prior === null) {
    return 'Per mostrare lo sconto serve sapere che il prezzo di listino è stato praticato negli ultimi 30 giorni: senza la spunta, i clienti vedranno il prodotto «In Evidenza», senza percentuale.'
  }
  const percent = discountPercent(list, offer)
  const shown = shownPrice(list, offer, prior)
  if (shown.type === 'discount' && shown.percent === percent) return null
  const before = `Negli ultimi 30 giorni il prodotto è già costato ${formatPrice(prior.cents)}`
  return shown.type === 'featured'
    ? `${before}: per legge non si può mostrare come sconto. I clienti lo vedranno «In Evidenza».`
    : `${before}: per legge lo sconto si calcola da lì. I clienti vedranno -${shown.percent}% invece di -${percent}%.`
}

/** Where the prior price comes from. */
export function priorSource({ declared }: PriorPrice): string {
  return declared ? 'dichiarato da te' : 'dallo storico'
}
