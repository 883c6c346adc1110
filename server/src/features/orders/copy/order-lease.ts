import { randomUUID } from 'node:crypto'
import type { OrderLeasesStore } from './order-leases.store.ts'

/** A third of the duration of a lease. */
const RENEW_MS = 10_000

/**
 * Runs `work` under a lease, so that no other process does the same at the same time.
 *
 * @param work its signal aborts when `signal` does, or when the lease is lost
 * @returns false when another process holds the lease
 */
export async function withLease(
  leases: OrderLeasesStore,
  key: string,
  signal: AbortSignal,
  work: (lease: { at: string; signal: AbortSignal }) => Promise<void>,
): Promise<boolean> {
  const holder = randomUUID()
  const at = await leases.acquire(key, holder)
  if (at === undefined) return false
  const lost = new AbortController()
  const timer = setInterval(() => {
    leases.acquire(key, holder).then(
      (still) => still ?? lost.abort(),
      () => lost.abort(),
    )
  }, RENEW_MS).unref()
  try {
    await work({ at, signal: AbortSignal.any([signal, lost.signal]) })
    return true
  } finally {
    clearInterval(timer)
    await leases.release(key, holder)
  }
}
