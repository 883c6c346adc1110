import type { PublicOffer } from '@bancone/contract/public-offers'
import { OfferCard } from './offer-card.tsx'
import type { Shop } from './shop.ts'

/** Cards that are seen before anybody scrolls, on most screens. */
const FIRST = 4

export function OfferGrid({ offers, shop }: { offers: readonly PublicOffer[]; shop: Shop }) {
  return (
    // Narrower than any phone: one whose letters are made very large.
    <ul className="grid grid-cols-2 gap-2.5 max-[16rem]:grid-cols-1 md:gap-4 lg:grid-cols-3">
      {offers.map((offer, index) => (
        <li key={offer.id} className="min-w-0">
          {/* Below a dialog that was opened by its address nothing is urgent. */}
          <OfferCard
            offer={offer}
            shop={shop}
            eager={index < FIRST && shop.place.offerId === null}
          />
        </li>
      ))}
    </ul>
  )
}
