import { formatPrice } from '@bancone/contract/money'
import { PLACEHOLDER_IMAGE } from '@bancone/contract/offers'
import {
  filterAndSortOffers,
  type PublicOffer,
  type PublicOffers,
  type PublicPharmacy,
  publicPrice,
} from '@bancone/contract/public-offers'
import type { ShareCard } from '../../../ports/share-card.ts'

const MAX_PHOTOS = 4

/**
 * What the preview of a link shows: an offer, or the pharmacy where no offer is given or it is not published. Its
 * pictures are URLs. Null where no offers may be shown.
 */
export function shareCard(content: PublicOffers, offerId: string | null): ShareCard | null {
  const { pharmacy, offers, error } = content
  if (!pharmacy || error) return null
  const offer = offers.find(({ id }) => id === offerId)
  return offer ? offerCard(offer, pharmacy) : pharmacyCard(content, pharmacy)
}

function offerCard(offer: PublicOffer, { name }: PublicPharmacy): ShareCard {
  const { type, cents, before, percent } = publicPrice(offer)
  const badge = type === 'featured' ? 'In Evidenza' : percent > 0 ? `-${percent}%` : null
  return {
    kind: 'offer',
    name: offer.fields.Nome_Prodotto,
    price: formatPrice(cents),
    before: before === null ? null : formatPrice(before),
    badge,
    pharmacy: name,
    photo: photoOf(offer),
  }
}

function pharmacyCard(content: PublicOffers, pharmacy: PublicPharmacy): ShareCard {
  const count = content.offers.length
  const shown = filterAndSortOffers(content, { tipo: 'all' })
  return {
    kind: 'pharmacy',
    name: pharmacy.name,
    address: pharmacy.address,
    count: count === 0 ? null : count === 1 ? '1 offerta' : `${count} offerte`,
    logo: pharmacy.logoUrl,
    accent: pharmacy.profile?.palette?.light.accent ?? null,
    photos: [...new Set(shown.flatMap((offer) => photoOf(offer) ?? []))].slice(0, MAX_PHOTOS),
  }
}

function photoOf({ fields }: PublicOffer): string | null {
  return fields.URL_Immagine === PLACEHOLDER_IMAGE ? null : fields.URL_Immagine
}
