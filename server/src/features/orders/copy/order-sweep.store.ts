import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { copyRow } from './order-copy-row.store.ts'
import { NAMES_NOBODY } from './order-owner.rules.ts'

export type OrderSweepStore = ReturnType<typeof createOrderSweepStore>

/** What the copy has and the store has not, and the other way round. */
export function createOrderSweepStore(db: Database) {
  return {
    /**
     * Takes it on to sweep a copy, if that is due; it is due again after a while, should it come to nothing.
     * @returns false when it is not due, or somebody else has taken it on
     */
    async claim(
      pharmacyId: string,
      location: SourceLocation,
      { again }: { again: number },
    ): Promise<boolean> {
      const row = await copyRow(db, pharmacyId, location)
        .set({ sweep_at: inMs(again) })
        .where('read_at', 'is not', null)
        .where('sweep_at', '<=', sql<string>`now()`)
        .returning('pharmacy_id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** The copy was not swept, and is due again after that many milliseconds. */
    async postpone(pharmacyId: string, location: SourceLocation, ms: number): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({ sweep_at: inMs(ms) })
        .execute()
    },

    async finish(
      pharmacyId: string,
      location: SourceLocation,
      { at, next }: { at: string; next: number },
    ): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({ swept_at: at, sweep_at: inMs(next) })
        .execute()
    },

    /**
     * The orders of the copy that are not listed, but for those that came later, have a change waiting or
     * have not come from the store.
     */
    async notListed(pharmacyId: string, listed: readonly string[], before: string) {
      const rows = await db
        .selectFrom('pharmacy_orders as kept')
        .select('kept.airtable_order_id as recordId')
        .where('kept.pharmacy_id', '=', pharmacyId)
        .where('kept.created_at', '<', before)
        .where(
          sql<boolean>`not exists (
            select from unnest(${listed}::text[]) as listed (id) where listed.id = kept.airtable_order_id
          )`,
        )
        .where(sql<boolean>`not exists (select from order_changes where order_id = kept.id)`)
        .where(sql<boolean>`not exists (select from order_creations where order_id = kept.id)`)
        .execute()
      return rows.map((row) => row.recordId)
    },

    /** Those of the list that the copy has not, although nothing says that they cannot be understood. */
    async notCopied(pharmacyId: string, listed: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct listed.id from unnest(${listed}::text[]) as listed (id)
        where not exists (
          select from pharmacy_orders
          where pharmacy_id = ${pharmacyId} and airtable_order_id = listed.id
        ) and not exists (
          select from order_set_aside
          where pharmacy_id = ${pharmacyId} and record_id = listed.id and reason <> ${NAMES_NOBODY}
        )
      `.execute(db)
      return rows.map((row) => row.id)
    },
  }
}

function inMs(milliseconds: number) {
  return sql<string>`clock_timestamp() + make_interval(secs => ${milliseconds / 1_000}::float8)`
}
