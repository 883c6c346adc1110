import type { PublicOffer } from '@bancone/contract/public-offers'
import { OfferCard } from './offer-card.tsx'
import type { Shop } from './shop.ts'

/** Cards that are visible without scrolling on most screens. */
const FIRST = 4

export function OfferGrid({ offers, shop }: { offers: readonly PublicOffer[]; shop: Shop }) {
  return (
    // One column when the text size is increased so much that two do not fit.
    <ul className="grid grid-cols-2 gap-2.5 max-[16rem]:grid-cols-1 md:gap-4 lg:grid-cols-3">
      {offers.map((offer, index) => (
        <li key={offer.id} ref={shop.visits.watch} data-offer={offer.id} className="min-w-0">
          {/* Below a dialog opened by its URL, no picture is urgent. */}
          <OfferCard
            offer={offer}
            shop={shop}
            eager={index < FIRST && shop.navigation.offerId === null}
          />
        </li>
      ))}
    </ul>
  )
}
