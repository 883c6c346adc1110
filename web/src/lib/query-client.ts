import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, hasCode } from './api.ts'
import { invalidateOwnPharmacy } from './own-pharmacy.ts'

/** Whether to retry. A timeout is not retried: the user has already waited for it. */
function isTransient(error: Error): boolean {
  if (!(error instanceof ApiError) || error.timedOut) return false
  return error.status === 0 || error.status === 502
}

/** @param retryDelay milliseconds before the only retry of a query when the server is unreachable */
export function createQueryClient(retryDelay = 800): QueryClient {
  /** An answer for owners only says that the user's role has changed: the pharmacy with the role is read again. */
  function refreshRole(error: unknown) {
    if (hasCode(error, 'access.owners_only')) void invalidateOwnPharmacy(client)
  }
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: refreshRole }),
    mutationCache: new MutationCache({ onError: refreshRole }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && isTransient(error),
        retryDelay,
        // Being offline is reported as an error. Queries do not wait for the network to return.
        networkMode: 'always',
        refetchOnReconnect: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
  return client
}
