import type { QuarantinedRecord } from '@bancone/contract/order-diagnostics'
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Database } from '../../../database/database.ts'
import { NO_PHARMACY_REASON } from '../records/order-owner.rules.ts'

/** PostgreSQL does not accept the values of the record, for example a text too long for the search. */
export const REFUSED_REASON = 'left out; cannot be stored'

export type QuarantineEntry = { recordId: string; reason: string }

export type OrderQuarantineStore = ReturnType<typeof createOrderQuarantineStore>

/** Unreadable records of the order source: the only writer of `order_set_aside`. */
export function createOrderQuarantineStore(db: Database) {
  return {
    /** Whether the pharmacy has quarantined records. @param reason only those with this reason */
    async hasAny(pharmacyId: string, reason?: string): Promise<boolean> {
      const row = await db
        .selectFrom('order_set_aside')
        .select('record_id')
        .where('pharmacy_id', '=', pharmacyId)
        .$if(reason !== undefined, (of) => of.where('reason', '=', reason ?? ''))
        .limit(1)
        .executeTakeFirst()
      return row !== undefined
    },

    /** The oldest entries. */
    async list(pharmacyId: string, limit: number): Promise<z.infer<typeof QuarantinedRecord>[]> {
      const rows = await db
        .selectFrom('order_set_aside')
        .select(['record_id as recordId', 'reason', 'first_seen_at as since'])
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('first_seen_at')
        .orderBy('record_id')
        .limit(limit)
        .execute()
      return rows
    },

    /**
     * @param records without duplicates
     * @returns the records that are new, or have a new reason
     */
    async add(pharmacyId: string, records: readonly QuarantineEntry[]): Promise<QuarantineEntry[]> {
      const known = await db
        .selectFrom('order_set_aside')
        .select(['record_id', 'reason'])
        .where('pharmacy_id', '=', pharmacyId)
        .where(isOneOf(records.map((record) => record.recordId)))
        .execute()
      // One parameter for all rows, so that the statement does not depend on their number.
      await sql`
        insert into order_set_aside (pharmacy_id, record_id, reason)
        select ${pharmacyId}::uuid, "recordId", reason
        from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as incoming ("recordId" text, reason text)
        on conflict (pharmacy_id, record_id) do update
          set reason = excluded.reason, last_seen_at = now()
      `.execute(db)
      const reasons = new Map(known.map((row) => [row.record_id, row.reason]))
      return records.filter(({ recordId, reason }) => reasons.get(recordId) !== reason)
    },

    /**
     * Removes all entries except those listed: their records are gone from the source, or belong to another pharmacy.
     */
    async retainOnly(pharmacyId: string, listed: readonly string[], before: string): Promise<void> {
      await db
        .deleteFrom('order_set_aside')
        .where('pharmacy_id', '=', pharmacyId)
        .where('first_seen_at', '<', before)
        .where(
          sql<boolean>`not exists (
            select from unnest(${listed}::text[]) as listed (id) where listed.id = record_id
          )`,
        )
        .execute()
    },

    /** Removes the records that named no pharmacy of their table. */
    async releaseUnassigned(pharmacyId: string): Promise<void> {
      await db
        .deleteFrom('order_set_aside')
        .where('pharmacy_id', '=', pharmacyId)
        .where('reason', '=', NO_PHARMACY_REASON)
        .execute()
    },

    /** Removes records that are readable again. */
    async release(pharmacyId: string, recordIds: readonly string[]): Promise<void> {
      await db
        .deleteFrom('order_set_aside')
        .where('pharmacy_id', '=', pharmacyId)
        .where(isOneOf(recordIds))
        .execute()
    },
  }
}

function isOneOf(recordIds: readonly string[]) {
  return sql<boolean>`record_id = any(${recordIds}::text[])`
}
