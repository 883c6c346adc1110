import { randomUUID } from 'node:crypto'
import type { OrderLeasesStore } from './order-leases.store.ts'

/** A third of what a lease lasts. */
const RENEW_MS = 10_000

/**
 * Does a piece of work that no other process may do at the same time.
 *
 * @param work its signal ends it: from outside, or because the right to it was lost
 * @returns false when another has the right to it
 */
export async function withLease(
  leases: OrderLeasesStore,
  key: string,
  signal: AbortSignal,
  work: (begun: { at: string; signal: AbortSignal }) => Promise<void>,
): Promise<boolean> {
  const holder = randomUUID()
  const at = await leases.take(key, holder)
  if (at === undefined) return false
  const lost = new AbortController()
  const timer = setInterval(() => {
    leases.take(key, holder).then(
      (still) => still ?? lost.abort(),
      () => lost.abort(),
    )
  }, RENEW_MS).unref()
  try {
    await work({ at, signal: AbortSignal.any([signal, lost.signal]) })
    return true
  } finally {
    clearInterval(timer)
    await leases.end(key, holder)
  }
}
