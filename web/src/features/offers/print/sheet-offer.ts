import { type Day, formatShortDay } from '@bancone/contract/dates'
import { formatPrice } from '@bancone/contract/money'
import type { OfferType } from '@bancone/contract/offer-prices'
import { type OfferRecord, PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import { badgeText, priorText } from '../../../lib/shown-prices.ts'
import { priceShown, stateOf } from '../offer-lists.ts'

/** An offer on paper, with only what may be published of it. */
export type SheetOffer = {
  id: string
  name: string
  photo: string | null
  price: string
  /** The struck-out price. */
  before: string | null
  /** `-20%` or `In Evidenza`; null when the saving is negligible. */
  badge: string | null
  type: OfferType
  /** The prior price, which must accompany every reduction. */
  prior: string | null
  validity: string | null
}

export function sheetOffer(offer: OfferRecord, today: Day): SheetOffer {
  const { fields, prior } = offer
  const shown = priceShown(offer)
  const { type, cents, before, percent } = shown
  return {
    id: offer.id,
    name: fields.Nome_Prodotto,
    photo: fields.URL_Immagine === PLACEHOLDER_IMAGE ? null : fields.URL_Immagine,
    price: formatPrice(cents),
    before: before === null ? null : formatPrice(before),
    badge: type === 'discount' && percent === 0 ? null : badgeText(shown),
    type,
    prior: before !== null && prior ? priorText(prior) : null,
    validity: validityText(fields.Data_Inizio, fields.Data_Fine, today),
  }
}

function validityText(from: Day, to: Day | undefined, today: Day): string | null {
  const starts = from > today
  if (to === undefined) return starts ? `Dal ${formatShortDay(from)}` : null
  return starts
    ? `Dal ${formatShortDay(from)} al ${formatShortDay(to)}`
    : `Fino al ${formatShortDay(to)}`
}

/** Printable offers: expired ones only on request, and none that must not be published. */
export function printable(
  offers: readonly OfferRecord[],
  asked: ReadonlySet<string>,
  today: Day,
): OfferRecord[] {
  return offers
    .filter(({ refusal }) => refusal === null)
    .filter((offer) => stateOf(offer, today) !== 'expired' || asked.has(offer.id))
    .sort(byPlace)
}

/** By the pharmacy's order, then by discount. */
function byPlace(one: OfferRecord, other: OfferRecord): number {
  return (
    (one.position ?? Infinity) - (other.position ?? Infinity) ||
    priceShown(other).percent - priceShown(one).percent ||
    one.fields.Nome_Prodotto.localeCompare(other.fields.Nome_Prodotto, 'it')
  )
}

/** The requested offers; without any, the published ones. */
export function chosenAtFirst(
  offers: readonly OfferRecord[],
  asked: ReadonlySet<string>,
  today: Day,
): ReadonlySet<string> {
  const named = offers.filter(({ id }) => asked.has(id))
  const chosen =
    named.length > 0 ? named : offers.filter((offer) => stateOf(offer, today) === 'active')
  return new Set(chosen.map(({ id }) => id))
}
