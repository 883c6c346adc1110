import type { PublicOffer } from '@bancone/contract/public-offers'
import { OfferCard } from './offer-card.tsx'
import type { Shop } from './shop.ts'

/** Cards that are visible without scrolling on most screens. */
const FIRST = 4

export function OfferGrid({ offers, shop }: { offers: readonly PublicOffer[]; shop: Shop }) {
  return (
    // Two columns, or three: fewer where the text is so large that a price would not fit.
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.75rem,40%)),1fr))] gap-2.5 md:gap-4 lg:grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.75rem,30%)),1fr))] print:grid-cols-3">
      {offers.map((offer, index) => (
        <li
          key={offer.id}
          ref={shop.visits.watch}
          data-offer={offer.id}
          className="min-w-0 print:break-inside-avoid"
        >
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
