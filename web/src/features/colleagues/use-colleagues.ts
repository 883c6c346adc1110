import { type Colleague, listColleagues } from '@bancone/contract/colleagues'
import { topicEvents } from '@bancone/contract/realtime'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { endpointQuery, useEndpoint } from '../../lib/endpoint-query.ts'
import { useRoleDoubt } from '../../lib/owners-only.ts'
import { usePharmacyNews } from '../../lib/pharmacy-news.ts'

const { queryKey } = endpointQuery(listColleagues, {})

/** Who works here, read again when somebody came, went or was given another role. */
export function useColleagues() {
  const client = useQueryClient()
  const colleagues = useEndpoint(listColleagues, {})
  useRoleDoubt(colleagues.error)
  usePharmacyNews((event) => {
    if (event === topicEvents.pharmacy || event === topicEvents.missed) void readAgain(client)
  })
  return colleagues
}

export function readAgain(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey })
}

/** Puts what the server has said of somebody where they stand in the list. */
export function putColleague(client: QueryClient, colleague: Colleague) {
  client.setQueryData(
    queryKey,
    (known) =>
      known && {
        colleagues: known.colleagues.map((one) => (one.id === colleague.id ? colleague : one)),
      },
  )
}
