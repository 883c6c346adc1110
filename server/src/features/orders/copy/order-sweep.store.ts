import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { copyRow } from './order-copy-row.store.ts'
import { NO_PHARMACY_REASON, UNTOLD_PHARMACY_REASON } from './order-owner.rules.ts'

export type OrderSweepStore = ReturnType<typeof createOrderSweepStore>

/** Compares the copy with the list of records in the source. */
export function createOrderSweepStore(db: Database) {
  /** The orders of the copy that were in the source, without those that arrived later or have a pending change. */
  const fromSource = (pharmacyId: string, before: string) =>
    db
      .selectFrom('pharmacy_orders as kept')
      .select('kept.airtable_order_id as recordId')
      .where('kept.pharmacy_id', '=', pharmacyId)
      .where('kept.created_at', '<', before)
      .where(sql<boolean>`not exists (
        select from order_changes where pharmacy_id = kept.pharmacy_id and order_id = kept.id)`)
      .where(sql<boolean>`not exists (
        select from order_creations where pharmacy_id = kept.pharmacy_id and order_id = kept.id)`)

  return {
    /**
     * Claims the sweep of a copy, if it is due. It is due again after `retryMs` in case it fails.
     * @returns false when it is not due, or another process has claimed it
     */
    async claim(
      pharmacyId: string,
      location: SourceLocation,
      { retryMs }: { retryMs: number },
    ): Promise<boolean> {
      const row = await copyRow(db, pharmacyId, location)
        .set({ sweep_at: inMs(retryMs) })
        .where('read_at', 'is not', null)
        .where('sweep_at', '<=', sql<string>`now()`)
        .returning('pharmacy_id')
        .executeTakeFirst()
      return row !== undefined
    },

    /** Whether Airtable only mirrors the database: an order that was deleted there stays. */
    async isMirrored(pharmacyId: string): Promise<boolean> {
      const row = await db
        .selectFrom('pharmacies')
        .select('orders_phase')
        .where('id', '=', pharmacyId)
        .executeTakeFirst()
      return row?.orders_phase === 'database'
    },

    /** The copies of tables of a base, by their pharmacies; those left out do not exchange orders with it. */
    async copiesOf(baseId: string, tableIds: readonly string[]) {
      return db
        .selectFrom('order_copies as copy')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'copy.pharmacy_id')
        .select(['copy.pharmacy_id as pharmacyId', 'copy.table_id as tableId'])
        .where('copy.base_id', '=', baseId)
        .where(sql<boolean>`copy.table_id = any(${tableIds}::text[])`)
        .where(sql<boolean>`pharmacy.airtable_base_id = copy.base_id
          and pharmacy.airtable_table_id = copy.table_id`)
        .where('pharmacy.is_active', '=', true)
        .where('pharmacy.deleted_at', 'is', null)
        .where(isOnAirtable('pharmacy'))
        .execute()
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
      { at, next, records }: { at: string; next: number; records: number },
    ): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({ swept_at: at, sweep_at: inMs(next), records, counted_at: at })
        .execute()
    },

    /**
     * The orders of the copy that are not listed, except those that arrived later, have a pending change, or are not
     * from the source.
     */
    async notListed(pharmacyId: string, listed: readonly string[], before: string) {
      const rows = await fromSource(pharmacyId, before)
        .where(
          sql<boolean>`not exists (
            select from unnest(${listed}::text[]) as listed (id) where listed.id = kept.airtable_order_id
          )`,
        )
        .execute()
      return rows.map((row) => row.recordId)
    },

    /** Those of the records that are orders of the copy, with the same exceptions. */
    async among(pharmacyId: string, recordIds: readonly string[], before: string) {
      const rows = await fromSource(pharmacyId, before)
        .where(sql<boolean>`kept.airtable_order_id = any(${recordIds}::text[])`)
        .execute()
      return rows.map((row) => row.recordId)
    },

    /** The listed records that are not in the copy, although they are not quarantined as unreadable. */
    async notCopied(pharmacyId: string, listed: readonly string[]): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select distinct listed.id from unnest(${listed}::text[]) as listed (id)
        where not exists (
          select from pharmacy_orders
          where pharmacy_id = ${pharmacyId} and airtable_order_id = listed.id
        ) and not exists (
          select from order_set_aside
          where pharmacy_id = ${pharmacyId} and record_id = listed.id
            and reason not in (${NO_PHARMACY_REASON}, ${UNTOLD_PHARMACY_REASON})
        )
      `.execute(db)
      return rows.map((row) => row.id)
    },
  }
}

function inMs(milliseconds: number) {
  return sql<string>`clock_timestamp() + make_interval(secs => ${milliseconds / 1_000}::float8)`
}
