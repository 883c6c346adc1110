import {
  endSupportVisit,
  getCurrentVisit,
  SUPPORT_VISIT_HEADER,
} from '@bancone/contract/support-visits'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'

/** The parts of a request that make it one of the visit. */
export function visitRequest(visitId: string) {
  return { area: 'admin' as const, headers: { [SUPPORT_VISIT_HEADER]: visitId } }
}

/** The visit in progress, with its end in milliseconds since 1970. */
export function useVisit() {
  const query = useEndpoint(getCurrentVisit, {}, { staleTime: Number.POSITIVE_INFINITY })
  const { data, dataUpdatedAt, refetch } = query
  const endsAt = data?.visit ? dataUpdatedAt + data.visit.secondsLeft * 1000 : null
  useEffect(() => {
    if (endsAt === null) return undefined
    // A second later, so that the server's clock has passed the end too.
    const timer = setTimeout(() => void refetch(), endsAt - Date.now() + 1_000)
    return () => clearTimeout(timer)
  }, [endsAt, refetch])
  return { ...query, endsAt }
}

/** Ends the visit, and forgets what was read in it. */
export function useEndVisit() {
  const client = useQueryClient()
  return async (visitId: string) => {
    await call(endSupportVisit, { params: { visitId } })
    client.setQueryData(endpointKey(getCurrentVisit, {}), { visit: null })
    client.removeQueries({
      predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(visitId),
    })
  }
}
