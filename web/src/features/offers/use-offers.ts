import { listOffers } from '@bancone/contract/offers'
import { topicEvents } from '@bancone/contract/realtime'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { doubtOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { usePharmacyNews } from '../../lib/pharmacy-news.ts'
import { readOffers } from './offers-cache.ts'

/** The offers of the pharmacy, read again when somebody has changed them. */
export function useOffers() {
  const client = useQueryClient()
  const { data, error, isFetching } = useEndpoint(
    listOffers,
    {},
    { refetchOnWindowFocus: 'always' },
  )
  const read = () => void readOffers(client)
  usePharmacyNews((event) => {
    if (event === topicEvents.offers || event === topicEvents.missed) read()
  })
  useEffect(() => {
    // Perhaps it has no offers any more.
    if (error) void doubtOwnPharmacy(client)
  }, [client, error])
  return { listed: data, failed: error !== null, isFetching, read }
}
