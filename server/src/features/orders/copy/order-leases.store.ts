import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

const LEASE_SECONDS = 30

export type OrderLeasesStore = ReturnType<typeof createOrderLeasesStore>

/** Rights that one process of all has at a time: the only writer of `order_source_leases`. */
export function createOrderLeasesStore(db: Database) {
  return {
    /**
     * Takes or renews a right, for 30 seconds.
     * @param holder one piece of work, not one process: each ends its own lease only
     * @returns the database's time, or undefined while another has it
     */
    async take(key: string, holder: string): Promise<string | undefined> {
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

    async end(key: string, holder: string): Promise<void> {
      await db
        .deleteFrom('order_source_leases')
        .where('key', '=', key)
        .where('holder', '=', holder)
        .execute()
    },
  }
}

const leaseEnd = sql<string>`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`
