import type { Day } from '@bancone/contract/dates'
import type { PriorPrice } from '@bancone/contract/offer-prices'
import { PublicOffer, type PublicOffers } from '@bancone/contract/public-offers'
import type { PriceHistory } from './prices/price-history.ts'
import type { ShownOffer, ShownOffersStore } from './shown-offers.store.ts'

type Dependencies = {
  store: ShownOffersStore
  prices: Pick<PriceHistory, 'priors'>
}

export type ShownOffers = ReturnType<typeof createShownOffers>

/** The offers as everybody may know them. */
export function createShownOffers({ store, prices }: Dependencies) {
  return {
    /** Those of a day, as many as there may be. */
    async of(
      pharmacyId: string,
      { today, most }: { today: Day; most: number },
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

/** Of a medicine nothing may be said but its name and its price; of others nothing that is for the pharmacy alone. */
function publicOffer({ fields, ...offer }: ShownOffer, prior: PriorPrice | null): PublicOffer {
  const Descrizione = offer.medicine ? '' : fields.Descrizione
  return PublicOffer.parse({ ...offer, fields: { ...fields, Descrizione }, prior })
}
