import { createHash } from 'node:crypto'
import type { PublicOffers } from '@bancone/contract/public-offers'
import { SHARE_CARD_LAYOUT, type ShareCard } from '../../../ports/share-card.ts'
import { shareCard } from './share-images.rules.ts'

/**
 * Where the picture for previews of the page is, or of one of its offers; null where there is none. With anything
 * that the picture shows its address changes, since chats keep a picture by its address.
 */
export function shareImagePath(content: PublicOffers, offerId: string | null): string | null {
  const card = shareCard(content, offerId)
  if (!card || !content.pharmacy) return null
  const code = encodeURIComponent(content.pharmacy.pharmacy_id)
  const offer = card.kind === 'offer' ? `/${offerId}` : ''
  return `/share/offers/${code}${offer}/${shareVersion(card)}.jpg`
}

/** A name for all that the picture shows. */
export function shareVersion(card: ShareCard): string {
  return createHash('sha256')
    .update(JSON.stringify([SHARE_CARD_LAYOUT, card]))
    .digest('base64url')
    .slice(0, 12)
}
