import { formatPrice } from '@bancone/contract/money'
import {
  type PublicOffer,
  type PublicOffers,
  type PublicOffersError,
  publicPrice,
} from '@bancone/contract/public-offers'

type Refusal = { title: string; text: string }

export const LOAD_FAILED: Refusal = {
  title: 'Errore',
  text: 'Si è verificato un errore nel caricamento delle offerte. Riprova più tardi.',
}

/** Texts shown when there are no offers. */
export const refusals: Record<PublicOffersError, Refusal> = {
  'ID farmacia non valido': { title: 'Errore', text: 'ID farmacia non valido' },
  'Farmacia non trovata': { title: 'Errore', text: 'Farmacia non trovata' },
  'Farmacia non attiva': {
    title: 'Farmacia non attiva',
    text: 'Questa farmacia non è attualmente attiva sulla piattaforma.',
  },
  'Funzionalità offerte non disponibile': {
    title: 'Offerte non disponibili',
    text: 'Questa farmacia non ha attivato la funzionalità offerte.',
  },
}

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
