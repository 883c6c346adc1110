import type { Response } from '@bancone/contract/endpoint'
import { listOffers, type OfferRecord } from '@bancone/contract/offers'
import type { QueryClient } from '@tanstack/react-query'
import { endpointKey } from '../../lib/endpoint-query.ts'

type Listed = Response<typeof listOffers>

const key = endpointKey(listOffers, {})

export function invalidateOffers(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: key })
}

/** Cancels running queries, whose result would restore the old state. */
async function change(client: QueryClient, next: (offers: OfferRecord[]) => OfferRecord[]) {
  await client.cancelQueries({ queryKey: key })
  client.setQueryData<Listed>(key, (listed) => listed && { ...listed, offers: next(listed.offers) })
  void invalidateOffers(client)
}

/** Puts the offer of a response into the cached list: a new one at its head. */
export async function setCachedOffer(client: QueryClient, offer: OfferRecord) {
  await change(client, (offers) =>
    offers.some(({ id }) => id === offer.id)
      ? offers.map((old) => (old.id === offer.id ? offer : old))
      : [offer, ...offers],
  )
}

export async function removeCachedOffer(client: QueryClient, offerId: string) {
  await change(client, (offers) => offers.filter(({ id }) => id !== offerId))
}
