import { formatPrice } from '@bancone/contract/money'
import type { PriorPrice, ShownPrice } from '@bancone/contract/offer-prices'

/** Text of an offer's badge. */
export function badgeText({ type, percent }: Pick<ShownPrice, 'type' | 'percent'>): string {
  if (type === 'featured') return 'In Evidenza'
  // Less than half a percent is a discount, too.
  return percent > 0 ? `-${percent}%` : 'Offerta'
}

/** Text about the prior price, which the law requires beside a reduction. */
export function priorText({ cents }: Pick<PriorPrice, 'cents'>): string {
  return `Prezzo più basso degli ultimi 30 giorni: ${formatPrice(cents)}`
}

/** Formats cents for a field: `1.234,50`; empty for null. */
export function priceText(cents: number | null): string {
  return cents === null ? '' : formatPrice(cents).replace('€', '').trim()
}
