import { listOffers, type OfferRecord } from '@bancone/contract/offers'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey, updateCached } from '../../lib/endpoint-query.ts'
import { replaceItem, withoutItem } from '../../lib/item-list.ts'

export function invalidateOffers(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(listOffers) })
}

/** Puts the offer of a response into the cached list: a new one at its head. */
export async function setCachedOffer(client: QueryClient, offer: OfferRecord) {
  await updateCached(client, listOffers, (listed) => {
    const isNew = listed.offers.every(({ id }) => id !== offer.id)
    const offers = isNew ? [offer, ...listed.offers] : replaceItem(listed.offers, offer)
    return { ...listed, offers }
  })
}

export async function removeCachedOffer(client: QueryClient, offerId: string) {
  await updateCached(client, listOffers, (listed) => ({
    ...listed,
    offers: withoutItem(listed.offers, offerId),
  }))
}
