import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, hasCode } from './api.ts'
import { invalidateOwnPharmacy } from './own-pharmacy.ts'

/** There was no response, or one that says that the server or its database is unavailable. */
function isUnavailable(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502)
}

/** Whether to retry at once. A timeout is not: the user has already waited for it. Nor is a busy server, 503 or 504. */
function isTransient(error: Error): boolean {
  return isUnavailable(error) && !error.timedOut && error.status <= 502
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

/** The first pause is random between this and twice this, the next ones twice as long, up to `MAX_DOUBLINGS` times. */
const PAUSE_MS = 500
const MAX_DOUBLINGS = 3

/** Whether a query on the screen has failed, and may be refetched without a user action. */
function isWaiting({ state, observers }: Query): boolean {
  const mayRefetch = observers.every(({ options }) => options.refetchOnReconnect)
  return isUnavailable(state.error) && observers.length > 0 && mayRefetch
}

/**
 * Retries the queries on the screen that failed because the server is unavailable, until it answers. One of them is
 * requested after each pause, under a key of its own, so that another failure changes nothing on the screen. After an
 * answer all of them are refetched.
 */
export function retryUnavailable(client: QueryClient): QueryClient {
  const cache = client.getQueryCache()
  const allWaiting = () => cache.findAll({ predicate: isWaiting })
  let busy = false

  async function work() {
    busy = true
    for (let tries = 0; ; tries++) {
      const pause = PAUSE_MS * 2 ** Math.min(tries, MAX_DOUBLINGS)
      await new Promise((resolve) => setTimeout(resolve, pause * (1 + Math.random())))
      const waiting = allWaiting()
      const queryFn = waiting[tries % waiting.length]?.options.queryFn
      if (queryFn === undefined) break
      const answer: unknown = await client
        .fetchQuery({ queryKey: ['retry'], queryFn, retry: false, gcTime: 0 })
        .catch((error: unknown) => error)
      if (isUnavailable(answer)) continue
      await Promise.allSettled(allWaiting().map((query) => query.fetch()))
    }
    busy = false
  }

  cache.subscribe(({ query }: { query: Query }) => {
    if (!busy && isWaiting(query)) void work()
  })
  return client
}
