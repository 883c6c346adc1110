import type { SourceTrouble } from '@bancone/contract/order-health'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import { adoptCreated } from '../making/order-adoption.store.ts'
import { copyRow } from './order-copy-row.store.ts'
import { sharersOf } from './order-sharers.store.ts'
import {
  noHooks,
  type OrderHooks,
  removeOrders,
  type Writing,
  writeOrders,
} from './order-writing.store.ts'

/** Where the reading of a table stands, and when the store last answered and last did not. */
export type CopyState = {
  changedUntil: string | null
  readAt: string | null
  failedAt: string | null
  /** Milliseconds since it last answered or did not, by the database's clock; null if it was never asked. */
  triedAgo: number | null
  hasFailed: boolean
  /** Milliseconds since the columns of the table were last looked at; null if they never were. */
  columnsAgo: number | null
}

const nothingKnown: CopyState = {
  changedUntil: null,
  readAt: null,
  failedAt: null,
  triedAgo: null,
  hasFailed: false,
  columnsAgo: null,
}

export type OrderCopyStore = ReturnType<typeof createOrderCopyStore>

/** What the reading of the order store writes: `pharmacy_orders` and how far it came, `order_copies`. */
export function createOrderCopyStore(db: Database, hooks: OrderHooks = noHooks) {
  /** The row of a copy, which is that of this table from now on: of another one nothing is known. */
  async function begin(pharmacyId: string, { baseId, tableId }: SourceLocation): Promise<void> {
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
            columns_checked_at: null,
          })
          .where(
            sql<boolean>`(order_copies.base_id, order_copies.table_id)
              is distinct from (excluded.base_id, excluded.table_id)`,
          ),
      )
      .execute()
  }

  return {
    begin,

    async copyState(pharmacyId: string, location: SourceLocation): Promise<CopyState> {
      const row = await db
        .selectFrom('order_copies')
        .select([
          'changed_until as changedUntil',
          'read_at as readAt',
          'failed_at as failedAt',
          millisecondsSince(sql`greatest(read_at, failed_at)`).as('triedAgo'),
          sql<boolean>`last_error is not null`.as('hasFailed'),
          millisecondsSince(sql`columns_checked_at`).as('columnsAgo'),
        ])
        .where('pharmacy_id', '=', pharmacyId)
        .where('base_id', '=', location.baseId)
        .where('table_id', '=', location.tableId)
        .executeTakeFirst()
      return row ?? nothingKnown
    },

    sharers: (location: SourceLocation) => sharersOf(db, location),

    /**
     * @returns how many orders were new or different
     */
    async saveOrders(
      pharmacyId: string,
      orders: readonly SourceOrder[],
      readSince: string,
      writing: Omit<Writing, 'readSince'> = { arriving: true },
    ): Promise<number> {
      if (orders.length === 0) return 0
      // Each in a transaction of its own: it locks an order before those that are written together.
      await adoptCreated(db, hooks, pharmacyId, orders)
      return db
        .transaction()
        .execute((tx) => writeOrders(tx, hooks, pharmacyId, orders, { readSince, ...writing }))
    },

    /** Those of them that are in the copy. */
    async copied(pharmacyId: string, recordIds: readonly string[]): Promise<Set<string>> {
      const rows = await db
        .selectFrom('pharmacy_orders')
        .select('airtable_order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where(sql<boolean>`airtable_order_id = any(${recordIds}::text[])`)
        .execute()
      return new Set(rows.map((row) => row.airtable_order_id))
    },

    /** @returns how many of them were in the copy, and are not any more */
    removeOrders(pharmacyId: string, recordIds: readonly string[], before: string) {
      return db.transaction().execute((tx) => removeOrders(tx, pharmacyId, recordIds, before))
    },

    /**
     * The table has been read to its end.
     * @param state `began` is where the reading began: if the copy has been set to another place since, it
     * stays there
     */
    async markRead(
      pharmacyId: string,
      location: SourceLocation,
      {
        began,
        changedUntil,
        readAt,
      }: { began: string | null; changedUntil: string | null; readAt: string },
    ): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({
          changed_until: sql<string | null>`case
            when changed_until is not distinct from ${began}::timestamptz
            then ${changedUntil}::timestamptz else changed_until end`,
          read_at: readAt,
          failed_at: null,
          last_error: null,
          failures: 0,
          // A store that is back is read as often as before, and not when its last failure said.
          poll_at: sql<string>`case when failures > 0 then now() else poll_at end`,
          ...(began === null && { sweep_at: sql<string>`now()` }),
        })
        .execute()
    },

    async markFailed(
      pharmacyId: string,
      location: SourceLocation,
      trouble: SourceTrouble,
    ): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({ failed_at: sql<string>`clock_timestamp()`, last_error: trouble })
        .execute()
    },

    /** Everything is read again, from the beginning. */
    async readAgain(pharmacyId: string, location: SourceLocation): Promise<void> {
      await copyRow(db, pharmacyId, location).set({ changed_until: null }).execute()
    },

    /**
     * Columns that are back are read again of every order: that is no change of an order to the store.
     *
     * @param missing null when the store does not tell; undefined when it could not be asked
     */
    async markColumns(
      pharmacyId: string,
      location: SourceLocation,
      missing: string[] | null | undefined,
    ): Promise<void> {
      await copyRow(db, pharmacyId, location)
        .set({
          ...(missing !== undefined && { missing_columns: missing }),
          ...(missing && {
            changed_until: sql<string | null>`case
              when missing_columns <@ ${missing}::text[] or missing_columns is null
              then changed_until end`,
          }),
          columns_checked_at: sql<string>`clock_timestamp()`,
        })
        .execute()
    },
  }
}

/** Null for null. */
function millisecondsSince(time: ReturnType<typeof sql>) {
  return sql<number | null>`(extract(epoch from clock_timestamp() - ${time}) * 1000)::float8`
}
