import { formatShortDay } from '@bancone/contract/dates'
import { formatPrice } from '@bancone/contract/money'
import { type PriorPrice, shownPrice } from '@bancone/contract/offer-prices'

/** How customers will see the price. */
export function offerPreview(list: number, offer: number, prior: PriorPrice | null): string {
  const { type, percent } = shownPrice(list, offer, prior)
  return type === 'discount'
    ? `Offerta con sconto del ${percent}%`
    : 'Prodotto in evidenza (nessuno sconto)'
}

export function priorText({ cents, since }: PriorPrice): string {
  const from = since === null ? '' : ` (dal ${formatShortDay(since).slice(0, 5)})`
  return `Prezzo più basso degli ultimi 30 giorni: ${formatPrice(cents)}${from}`
}

/** Why customers see another discount than the list price suggests; null when they do not. */
export function priorWarning(list: number, offer: number, prior: PriorPrice | null): string | null {
  if (prior === null) return null
  const plain = shownPrice(list, offer, null)
  const shown = shownPrice(list, offer, prior)
  if (plain.type === shown.type && plain.percent === shown.percent) return null
  const before = `Negli ultimi 30 giorni il prodotto è già costato ${formatPrice(prior.cents)}`
  return shown.type === 'featured'
    ? `${before}: per legge non si può mostrare come sconto. I clienti lo vedranno «In Evidenza».`
    : `${before}: per legge lo sconto si calcola da lì. I clienti vedranno -${shown.percent}% invece di -${plain.percent}%.`
}

/** Where the prior price comes from. */
export function priorSource({ declared }: PriorPrice, typed: string): string {
  if (!declared) return 'dallo storico'
  return typed.trim() === '' ? 'è quello di listino' : 'dichiarato da te'
}
