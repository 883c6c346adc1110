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
