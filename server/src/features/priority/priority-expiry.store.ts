import { sql } from 'kysely'
import { startOfToday } from '../../database/conditions.ts'
import type { Database } from '../../database/database.ts'

/** The most sessions of one statement. */
const BATCH = 5_000

/** Days after its end for which a session has the name and the telephone number of the customer. */
const PERSONAL_DAYS = 30

/** Months after its end for which a session is kept. */
const KEPT_MONTHS = 24

/** Seconds after which a call counts as served, less those in which the job may run early. */
const SERVED_AFTER = 30 * 60 - 5

/** @returns those of these record ids that have a session which is open, or has data of the customer still */
export async function ordersWithPrioritySessions(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
): Promise<string[]> {
  const rows = await tx
    .selectFrom('priority_access_sessions')
    .select('airtable_order_id')
    .distinct()
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`airtable_order_id = any(${recordIds}::text[])`)
    .where(sql<boolean>`(ended_at is null or ${hasPerson})`)
    .execute()
  return rows.map((row) => row.airtable_order_id)
}

const hasPerson = sql<boolean>`(user_name is not null or user_phone is not null or place is not null)`

export type PriorityExpiryStore = ReturnType<typeof createPriorityExpiryStore>

/**
 * How sessions end by themselves, and are forgotten. Of the changes in batches it returns the number of changed rows.
 */
export function createPriorityExpiryStore(db: Database) {
  const changed = (result: { numAffectedRows?: bigint }) => Number(result.numAffectedRows ?? 0)
  const bySystem = sql`version = version + 1, changed_from = 'system', changed_by = null`

  return {
    /** Ends the session of a customer who was called half an hour ago, and not called again since. */
    async serve(pharmacyId: string, prioritySessionId: string): Promise<void> {
      await sql`
        update priority_access_sessions set status = 'served', ended_at = now(), ${bySystem}
        where pharmacy_id = ${pharmacyId} and id = ${prioritySessionId} and status = 'called'
          and called_at <= now() - make_interval(secs => ${SERVED_AFTER})`.execute(db)
    },

    /**
     * Ends the sessions whose link is past its time, those of customers who arrived before today and were never called,
     * and those called before today whose job was lost.
     */
    async endOpen(): Promise<number> {
      return changed(
        await sql`
          update priority_access_sessions set ended_at = now(), ${bySystem},
            status = case status
              when 'user_arrived' then 'no_show' when 'called' then 'served' else 'expired' end
          where (pharmacy_id, id) in (
            select pharmacy_id, id from priority_access_sessions
            where ended_at is null and (
              status in ('link_sent', 'on_the_way') and expires_at <= now()
              or status = 'user_arrived' and arrived_at < ${startOfToday}
              or status = 'called' and called_at < ${startOfToday}
            )
            limit ${BATCH} for update skip locked
          )`.execute(db),
      )
    },

    /** Empties names, telephone numbers and what customers wrote. */
    async forgetPeople(): Promise<number> {
      return changed(
        await sql`
          update priority_access_sessions set user_name = null, user_phone = null, place = null, previous = null
          where (pharmacy_id, id) in (
            select pharmacy_id, id from priority_access_sessions
            where ended_at < now() - make_interval(days => ${PERSONAL_DAYS})
              and ${hasPerson}
            limit ${BATCH}
          )`.execute(db),
      )
    },

    async removeOld(): Promise<number> {
      return changed(
        await sql`
          delete from priority_access_sessions where (pharmacy_id, id) in (
            select pharmacy_id, id from priority_access_sessions
            where ended_at < now() - make_interval(months => ${KEPT_MONTHS})
            limit ${BATCH}
          )`.execute(db),
      )
    },
  }
}
