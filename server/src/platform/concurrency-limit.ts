import { TooManyRequests } from './rate-limits.ts'

/** Runs the work unless the maximum number is already running for that key. @throws TooManyRequests */
export type ConcurrencyLimit = <T>(key: string, work: () => Promise<T>) => Promise<T>

/** The `retryAfter` of a refusal, in seconds. */
const RETRY_AFTER = 5

/**
 * Limits the number of concurrent executions per key (for example, per pharmacy) in this process.
 * @param limit the name of the limit in the error
 */
export function createConcurrencyLimit(limit: string, max: number): ConcurrencyLimit {
  const running = new Map<string, number>()
  return async (key, work) => {
    const others = running.get(key) ?? 0
    if (others >= max) throw new TooManyRequests(limit, RETRY_AFTER)
    running.set(key, others + 1)
    try {
      return await work()
    } finally {
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
    }
  }
}
