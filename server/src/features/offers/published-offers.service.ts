import type { Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import { PublicOffer, type PublicOffers } from '@bancone/contract/public-offers'
import type { PriceHistory } from './prices/price-history.ts'
import type { PublishedOffer, PublishedOffersStore } from './published-offers.store.ts'

type Dependencies = {
  store: PublishedOffersStore
  prices: Pick<PriceHistory, 'priors'>
}

export type PublishedOffers = ReturnType<typeof createPublishedOffers>

/** The published offers of a pharmacy, as customers see them. */
export function createPublishedOffers({ store, prices }: Dependencies) {
  return {
    /** The offers of a day, up to the limit. */
    async onDay(
      pharmacyId: string,
      { today, most }: { today: Day; most: number | null },
    ): Promise<Pick<PublicOffers, 'offers' | 'arranged'>> {
      const offers = await store.list(pharmacyId, today, most)
      const priors = await prices.priors(pharmacyId, offers, today)
      return {
        offers: offers.map((offer) => publicOffer(offer, priors.get(offer.id) ?? null)),
        arranged: offers.some(({ position }) => position !== null),
      }
    },
  }
}

/** Of a medicine only name and price may be published; of other products everything but internal fields. */
function publicOffer({ fields, ...offer }: PublishedOffer, prior: PriorPrice | null): PublicOffer {
  const Descrizione = offer.medicine ? '' : fields.Descrizione
  return PublicOffer.parse({ ...offer, fields: { ...fields, Descrizione }, prior })
}
