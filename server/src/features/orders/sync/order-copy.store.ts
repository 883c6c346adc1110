import type { SourceFailure } from '@bancone/contract/order-health'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import { isReported } from '../../../database/reported-tables.ts'
import type { SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import { linkCreatedOrders } from '../creation/order-creations.store.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { NO_PHARMACY_REASON, UNTOLD_PHARMACY_REASON } from '../records/order-owner.rules.ts'
import {
  copiedAmong,
  removeOrders,
  type UpsertOptions,
  upsertOrders,
} from '../records/order-upsert.store.ts'
import { tablePharmaciesOf } from '../records/table-pharmacies.store.ts'

/** How far a table has been read, and when the source last responded and last failed. */
export type CopyState = {
  changedUntil: string | null
  readAt: string | null
  failedAt: string | null
  /** Milliseconds since the last response or failure, by the database's clock; null before the first one. */
  msSinceAttempt: number | null
  hasFailed: boolean
  /** The base reports its changes, and has reported none since the last reading. */
  isReported: boolean
  /** The required columns that the table does not have; null before the first reading. */
  missingColumns: string[] | null
}

const unknownState: CopyState = {
  changedUntil: null,
  readAt: null,
  failedAt: null,
  msSinceAttempt: null,
  hasFailed: false,
  isReported: false,
  missingColumns: null,
}

/** Written orders after which the plans of statements may be wrong until the tables are analyzed. */
const ANALYZED_AFTER = 500

export type OrderCopyStore = ReturnType<typeof createOrderCopyStore>

/**
 * Writes the results of reading the order source: `pharmacy_orders`, and the state of the copy in `order_copies`. Compares
 * the copy with the list of records in the source.
 */
export function createOrderCopyStore(db: Database, hooks: OrderHooks) {
  /** Creates the state of the copy, or resets it when the pharmacy now uses another table. */
  async function upsertCopy(pharmacyId: string, { baseId, tableId }: SourceLocation) {
    await db
      .insertInto('order_copies')
      .values({ pharmacy_id: pharmacyId, base_id: baseId, table_id: tableId })
      .onConflict((conflict) =>
        conflict
          .column('pharmacy_id')
          .doUpdateSet({
            base_id: baseId,
            table_id: tableId,
            changed_until: null,
            read_at: null,
            failed_at: null,
            last_error: null,
            failures: 0,
            swept_at: null,
            sweep_at: sql<string>`now()`,
            missing_columns: null,
            records: null,
            counted_at: null,
          })
          .where(
            sql<boolean>`(order_copies.base_id, order_copies.table_id)
              is distinct from (excluded.base_id, excluded.table_id)`,
          ),
      )
      .execute()
  }

  /** The orders of the copy that were in the source, without those that arrived later or have a pending change. */
  async function fromSource(pharmacyId: string, before: string, condition: RawBuilder<unknown>) {
    const { rows } = await sql<{ id: string }>`
      select kept.airtable_order_id as id from pharmacy_orders kept
      where kept.pharmacy_id = ${pharmacyId} and kept.created_at < ${before} and ${condition}
        and not exists (
          select from order_changes where pharmacy_id = kept.pharmacy_id and order_id = kept.id
        ) and not exists (
          select from order_creations where pharmacy_id = kept.pharmacy_id and order_id = kept.id
        )
    `.execute(db)
    return rows.map(({ id }) => id)
  }

  return {
    upsertCopy,

    async copyState(pharmacyId: string, location: SourceLocation): Promise<CopyState> {
      const row = await db
        .selectFrom('order_copies')
        .select([
          'changed_until as changedUntil',
          'read_at as readAt',
          'failed_at as failedAt',
          millisecondsSince(sql`greatest(read_at, failed_at)`).as('msSinceAttempt'),
          sql<boolean>`last_error is not null`.as('hasFailed'),
          sql<boolean>`${isReported('order_copies.base_id', 'order_copies.table_id')}
            and coalesce(signalled_at < read_at, read_at is not null)`.as('isReported'),
          'missing_columns as missingColumns',
        ])
        .where('pharmacy_id', '=', pharmacyId)
        .where('base_id', '=', location.baseId)
        .where('table_id', '=', location.tableId)
        .executeTakeFirst()
      return row ?? unknownState
    },

    tablePharmacies: (location: SourceLocation) => tablePharmaciesOf(db, location),

    /** @returns the number of orders that were new or changed */
    async saveOrders(
      pharmacyId: string,
      orders: readonly SourceOrder[],
      readStartedAt: string,
      writing: Omit<UpsertOptions, 'readStartedAt'> = { countsAsNew: true },
    ): Promise<number> {
      if (orders.length === 0) return 0
      // In separate transactions, since each locks one order before the batch is locked.
      await linkCreatedOrders(db, hooks, pharmacyId, orders)
      return db
        .transaction()
        .execute((tx) => upsertOrders(tx, hooks, pharmacyId, orders, { readStartedAt, ...writing }))
    },

    /** Renews the statistics of the tables of orders after so many were written, if they were many. */
    async analyzeAfter(written: number): Promise<void> {
      if (written >= ANALYZED_AFTER) await sql`select analyze_orders()`.execute(db)
    },

    findCopied: (pharmacyId: string, recordIds: readonly string[]) =>
      copiedAmong(db, pharmacyId, recordIds),

    /** @returns the number of orders removed from the copy */
    removeOrders(pharmacyId: string, recordIds: readonly string[], before: string) {
      return db.transaction().execute((tx) => removeOrders(tx, pharmacyId, recordIds, before))
    },

    /**
     * The table has been read completely.
     * @param state `startedFrom` is the cursor with which the reading began: if the cursor has been changed since, it
     * is kept
     */
    async markRead(
      pharmacyId: string,
      location: SourceLocation,
      {
        startedFrom,
        changedUntil,
        readAt,
      }: { startedFrom: string | null; changedUntil: string | null; readAt: string },
    ): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({
          changed_until: sql<string | null>`case
            when changed_until is not distinct from ${startedFrom}::timestamptz
            then ${changedUntil}::timestamptz else changed_until end`,
          read_at: readAt,
          failed_at: null,
          last_error: null,
          failures: 0,
          // After a failure the normal poll interval applies again at once. What was reported meanwhile may be missing.
          poll_at: sql<string>`case when failures > 0 then now()
            when signalled_at >= ${readAt}::timestamptz
            then least(poll_at, ${soonAfter(sql`${readAt}`)}) else poll_at end`,
          ...(startedFrom === null && { sweep_at: sql<string>`now()` }),
        })
        .execute()
    },

    async markFailed(pharmacyId: string, location: SourceLocation, trouble: SourceFailure) {
      await copyRow(db, pharmacyId, location)
        .set({ failed_at: sql<string>`clock_timestamp()`, last_error: trouble })
        .execute()
    },

    /** Makes the next reading start from the beginning. */
    async resetCursor(pharmacyId: string, location: SourceLocation): Promise<void> {
      await copyRow(db, pharmacyId, location).set({ changed_until: null }).execute()
    },

    /** Makes the next poll read from the beginning, and then look for orders that are gone. */
    async readAgain(pharmacyId: string, location: SourceLocation): Promise<void> {
      await upsertCopy(pharmacyId, location)
      await copyRow(db, pharmacyId, location)
        .set({
          changed_until: null,
          sweep_at: sql<string>`now()`,
          failures: 0,
          poll_at: sql<string>`now()`,
        })
        .execute()
    },

    /**
     * Records the missing columns. When a column is back all orders are read again, since that is no change of a
     * record in the source.
     */
    async markColumns(pharmacyId: string, location: SourceLocation, missing: readonly string[]) {
      await copyRow(db, pharmacyId, location)
        .set({
          missing_columns: [...missing],
          changed_until: sql<string | null>`case
            when missing_columns <@ ${missing}::text[] or missing_columns is null
            then changed_until end`,
        })
        .execute()
    },

    /**
     * Claims the sweep of a copy, if it is due. It is due again after `retryMs` in case it fails.
     * @returns false when it is not due, or another process has claimed it
     */
    async claimSweep(
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

    /** The copy was not swept, and its sweep is due again after that many milliseconds. */
    async postponeSweep(pharmacyId: string, location: SourceLocation, ms: number): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({ sweep_at: inMs(ms) })
        .execute()
    },

    async finishSweep(
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
    notListed: (pharmacyId: string, listed: readonly string[], before: string) =>
      fromSource(
        pharmacyId,
        before,
        sql`not exists (
          select from unnest(${listed}::text[]) as listed (id) where listed.id = kept.airtable_order_id
        )`,
      ),

    /** Those of the records that are orders of the copy, with the same exceptions. */
    among: (pharmacyId: string, recordIds: readonly string[], before: string) =>
      fromSource(pharmacyId, before, sql`kept.airtable_order_id = any(${recordIds}::text[])`),

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

/** Updates the state of a pharmacy's copy, if the copy is still that of this table. */
function copyRow(db: Database, pharmacyId: string, location: SourceLocation) {
  return db
    .updateTable('order_copies')
    .where('pharmacy_id', '=', pharmacyId)
    .where('base_id', '=', location.baseId)
    .where('table_id', '=', location.tableId)
}

/** Null when `time` is null. */
function millisecondsSince(time: ReturnType<typeof sql>) {
  return sql<number | null>`(extract(epoch from clock_timestamp() - ${time}) * 1000)::float8`
}

export function inMs(milliseconds: number) {
  return sql<string>`clock_timestamp() + make_interval(secs => ${milliseconds / 1_000}::float8)`
}

/**
 * When a copy whose base has reported a change is read. Without the column `Last` the whole table is read, so not more than
 * once a minute.
 *
 * @param readAt the last reading
 */
export function soonAfter(readAt: RawBuilder<unknown>): RawBuilder<string> {
  return sql<string>`case when 'Last' = any(coalesce(missing_columns, '{}'))
    then greatest(now(), ${readAt}::timestamptz + interval '1 minute') else now() end`
}
