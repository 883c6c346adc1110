import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** Whether to retry. A timeout is not retried: the user has already waited for it. */
function isTransient(error: Error): boolean {
  if (!(error instanceof ApiError) || error.timedOut) return false
  return error.status === 0 || error.status === 502
}

/** @param retryDelay milliseconds before the only retry of a query when the server is unreachable */
export function createQueryClient(retryDelay = 800): QueryClient {
  return new QueryClient({
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
}
