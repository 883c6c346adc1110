import { type Colleague, listColleagues } from '@bancone/contract/colleagues'
import { topicEvents } from '@bancone/contract/realtime'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { endpointKey, updateCached, useEndpoint } from '../../lib/endpoint-query.ts'
import { withItem } from '../../lib/item-list.ts'
import { usePharmacyEvents } from '../../lib/pharmacy-events.ts'

/** The colleagues of the pharmacy; refetched after changes elsewhere. */
export function useColleagues() {
  const client = useQueryClient()
  const colleagues = useEndpoint(listColleagues, {})
  usePharmacyEvents((event) => {
    if (event === topicEvents.pharmacy || event === topicEvents.missed)
      void invalidateColleagues(client)
  })
  return colleagues
}

export function invalidateColleagues(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: endpointKey(listColleagues) })
}

/** Puts the colleague of a response into the cached list. */
export async function setCachedColleague(client: QueryClient, colleague: Colleague) {
  await updateCached(client, listColleagues, ({ colleagues }) => ({
    colleagues: withItem(colleagues, colleague),
  }))
}
