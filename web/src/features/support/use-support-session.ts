import {
  endSupportSession,
  getCurrentSupportSession,
  SUPPORT_SESSION_HEADER,
} from '@bancone/contract/support-sessions'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../lib/endpoint-query.ts'

/** The parts of a request that make it one of the support session. */
export function supportSessionRequest(supportSessionId: string) {
  return { area: 'admin' as const, headers: { [SUPPORT_SESSION_HEADER]: supportSessionId } }
}

/** The support session in progress, with its end in milliseconds since 1970. */
export function useSupportSession() {
  const query = useEndpoint(getCurrentSupportSession, {}, { staleTime: Number.POSITIVE_INFINITY })
  const { data, dataUpdatedAt, refetch } = query
  const endsAt = data?.supportSession
    ? dataUpdatedAt + data.supportSession.secondsLeft * 1000
    : null
  useEffect(() => {
    if (endsAt === null) return undefined
    // A second later, so that the server's clock has passed the end too.
    const timer = setTimeout(() => void refetch(), endsAt - Date.now() + 1_000)
    return () => clearTimeout(timer)
  }, [endsAt, refetch])
  return { ...query, endsAt }
}

/** Ends the support session, and forgets what was read in it. */
export function useEndSupportSession() {
  const client = useQueryClient()
  return async (supportSessionId: string) => {
    await call(endSupportSession, { params: { supportSessionId } })
    client.setQueryData(endpointKey(getCurrentSupportSession, {}), { supportSession: null })
    client.removeQueries({
      predicate: ({ queryKey }) => JSON.stringify(queryKey).includes(supportSessionId),
    })
  }
}
