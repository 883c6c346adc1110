import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api.ts'

/** Not one that came too late: who waits has waited long enough. */
function mayPass(error: Error): boolean {
  if (!(error instanceof ApiError) || error.late) return false
  return error.status === 0 || error.status === 502
}

/** @param retryDelay milliseconds before the one new attempt a read gets when the server is out of reach */
export function createQueryClient(retryDelay = 800): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 1 && mayPass(error),
        retryDelay,
        // Offline is an error like another: it must be said, not waited for.
        networkMode: 'always',
        refetchOnReconnect: 'always',
      },
      mutations: { networkMode: 'always' },
    },
  })
}
