import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

export const LEASE_MS = 30_000

export type OrderLeasesStore = ReturnType<typeof createOrderLeasesStore>

/** Leases, each held by one process at a time: the only writer of `order_source_leases`. */
export function createOrderLeasesStore(db: Database) {
  return {
    /**
     * Acquires or renews a lease for 30 seconds.
     * @param holder id of the task, not of the process, so that a task releases only its own lease
     * @returns the database's time; undefined while another task holds the lease
     */
    async acquire(key: string, holder: string): Promise<string | undefined> {
      const row = await db
        .insertInto('order_source_leases')
        .values({ key, holder, leased_until: leaseEnd })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ holder, leased_until: leaseEnd })
            .where((is) =>
              is.or([
                is('order_source_leases.holder', '=', holder),
                is('order_source_leases.leased_until', '<', sql<string>`clock_timestamp()`),
              ]),
            ),
        )
        .returning(sql<string>`clock_timestamp()`.as('now'))
        .executeTakeFirst()
      return row?.now
    },

    async release(key: string, holder: string): Promise<void> {
      await db
        .deleteFrom('order_source_leases')
        .where('key', '=', key)
        .where('holder', '=', holder)
        .execute()
    },
  }
}

const leaseEnd = sql<string>`clock_timestamp() + make_interval(secs => ${LEASE_MS / 1_000})`

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
