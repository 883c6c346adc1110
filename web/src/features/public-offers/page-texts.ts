import { formatPrice } from '@bancone/contract/money'
import { type PublicOffer, type PublicOffers, publicPrice } from '@bancone/contract/public-offers'
import { LOAD_FAILED, refusals } from './refusals.ts'

/** The offer of the URL, if it is still published. */
export function openedOffer(
  content: PublicOffers,
  offerId: string | null,
): PublicOffer | undefined {
  return content.offers.find(({ id }) => id === offerId)
}

/** The title of the page for tabs and link previews. */
export function pageTitle(content: PublicOffers | null, offerId: string | null): string {
  if (!content) return LOAD_FAILED.text
  if (content.error !== undefined) return refusals[content.error].text
  const offer = openedOffer(content, offerId)
  if (offer) return `${offer.fields.Nome_Prodotto} a ${formatPrice(publicPrice(offer).cents)}`
  return `Offerte Speciali di ${content.pharmacy?.name ?? ''}`
}
