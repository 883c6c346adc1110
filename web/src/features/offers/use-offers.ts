import { listOffers } from '@bancone/contract/offers'
import { topicEvents } from '@bancone/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { endpointQueryOptions, useEndpoint } from '../../lib/endpoint-query.ts'
import { invalidateOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { usePharmacyEvents } from '../../lib/pharmacy-events.ts'
import { invalidateOffers } from './offers-cache.ts'

/** The page does not ask again for what was asked for ahead of it. */
const AHEAD_MS = 5_000

/** Asks for the offers while it is not known yet whether the pharmacy has them. A refusal is shown by nothing. */
export function useOffersAhead() {
  const client = useQueryClient()
  // Observed by nothing: the end of an observer would end the request, which the page takes over.
  useEffect(() => void client.prefetchQuery(endpointQueryOptions(listOffers, {})), [client])
}

/** The offers of the pharmacy; refetched after changes elsewhere. */
export function useOffers() {
  const client = useQueryClient()
  const { data, error, isFetching } = useEndpoint(
    listOffers,
    {},
    { refetchOnWindowFocus: 'always', staleTime: AHEAD_MS },
  )
  const read = () => void invalidateOffers(client)
  usePharmacyEvents((event) => {
    if (event === topicEvents.offers || event === topicEvents.missed) read()
  })
  useEffect(() => {
    // The pharmacy may have lost the feature.
    if (error) void invalidateOwnPharmacy(client)
  }, [client, error])
  return { listed: data, failed: error !== null, isFetching, read }
}
