import { createHash } from 'node:crypto'
import type { PublicOffers } from '@bancone/contract/public-offers'
import { SHARE_CARD_VERSION, type ShareCard } from '../../../ports/share-card.ts'
import { shareCard } from './share-images.rules.ts'

/**
 * URL path of the preview picture of the page, or of one of its offers; null when there is none. The path changes
 * with everything that the picture shows, because chats cache a picture by its URL.
 */
export function shareImagePath(content: PublicOffers, offerId: string | null): string | null {
  const card = shareCard(content, offerId)
  if (!card || !content.pharmacy) return null
  const code = encodeURIComponent(content.pharmacy.pharmacy_id)
  const offer = card.kind === 'offer' ? `/${offerId}` : ''
  return `/share/offers/${code}${offer}/${shareVersion(card)}.jpg`
}

/** Hash of everything that the picture shows. */
export function shareVersion(card: ShareCard): string {
  return createHash('sha256')
    .update(JSON.stringify([SHARE_CARD_VERSION, card]))
    .digest('base64url')
    .slice(0, 12)
}
