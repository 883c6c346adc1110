import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

/** Seconds between two updates of a counter: a device may have several pages open. */
const NOTE_EVERY = 10

/** The most counters of a pharmacy: far more than any pharmacy has. */
const MAX_COUNTERS = 100

export type PriorityCountersStore = ReturnType<typeof createPriorityCountersStore>

/** The only writer of `priority_counters`. */
export function createPriorityCountersStore(db: Database) {
  return {
    /** Notes that a screen of the staff is open. */
    async record(pharmacyId: string, deviceId: string, desk: string | null): Promise<void> {
      await sql`
        insert into priority_counters as counter (pharmacy_id, device_id, desk)
        select ${pharmacyId}::uuid, ${deviceId}::uuid, ${desk}::text
        where (
          select count(*) from priority_counters
          where pharmacy_id = ${pharmacyId} and device_id <> ${deviceId}
        ) < ${MAX_COUNTERS}
        on conflict (pharmacy_id, device_id) do update set seen_at = now(), desk = excluded.desk
        where counter.seen_at < now() - make_interval(secs => ${NOTE_EVERY})
          or counter.desk is distinct from excluded.desk`.execute(db)
    },

    /** Removes the counters that were not seen for a day. */
    async removeOld(): Promise<void> {
      await db
        .deleteFrom('priority_counters')
        .where('seen_at', '<', sql<string>`now() - interval '1 day'`)
        .execute()
    },
  }
}
