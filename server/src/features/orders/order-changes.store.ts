import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { DB } from '../../database/schema.gen.ts'
import { enqueue } from '../../platform/jobs.ts'
import type { SourceLocation } from '../../ports/order-source.ts'
import { orderRecord, recordColumns } from './order-rows.ts'

export const PUSH_TASK = 'orders.push'

/** Seconds after a change at which a job looks whether it has reached the order store. */
const FIRST_RETRY_SECONDS = 10

/** Seconds a process may take for one push before another may try. */
const CLAIM_SECONDS = 30

export type ClaimedChange = {
  pharmacyId: string
  recordId: string
  status: string
  version: number
  /** Null when the orders are kept in our database alone, be it only since the change was made. */
  location: SourceLocation | null
}

/** `claimed`: there is a change, and whoever has it may still be at it, or have died. */
export type Claim = ClaimedChange | 'claimed' | 'none'

export type OrderChangesStore = ReturnType<typeof createOrderChangesStore>

/** The changes on their way to the order store: the only writer of `order_changes`. */
export function createOrderChangesStore(db: Database) {
  async function isThere(orderId: string): Promise<boolean> {
    const row = await db
      .selectFrom('order_changes')
      .select('order_id')
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    /**
     * Changes the copy and notes that the store must follow, in one transaction together with the job
     * that will see to it if this process does not.
     */
    record(
      pharmacyId: string,
      recordId: string,
      status: OrderStatus,
    ): Promise<{ orderId: string; record: OrderRecord } | undefined> {
      return db.transaction().execute(async (tx) => {
        const before = await tx
          .selectFrom('pharmacy_orders')
          .select(['id', 'status', 'airtable_last'])
          .where('pharmacy_id', '=', pharmacyId)
          .where('airtable_order_id', '=', recordId)
          .forUpdate()
          .executeTakeFirst()
        if (!before) return undefined
        const row = await tx
          .updateTable('pharmacy_orders')
          .set({
            status,
            status_changed_at: sql<string>`clock_timestamp()`,
            airtable_last: sql<string>`clock_timestamp()`,
          })
          .where('id', '=', before.id)
          .returning(recordColumns)
          .executeTakeFirstOrThrow()
        await tx
          .insertInto('order_changes')
          .values({
            order_id: before.id,
            pharmacy_id: pharmacyId,
            status,
            stored_status: before.status,
            stored_last: before.airtable_last,
          })
          .onConflict((conflict) =>
            conflict.column('order_id').doUpdateSet({
              status,
              version: sql`order_changes.version + 1`,
              changed_at: sql<string>`now()`,
            }),
          )
          .execute()
        await enqueue(
          tx,
          PUSH_TASK,
          { orderId: before.id },
          { key: `${PUSH_TASK}:${before.id}`, delaySeconds: FIRST_RETRY_SECONDS },
        )
        return { orderId: before.id, record: orderRecord(row) }
      })
    },

    /** Reserves the change of an order for this process. */
    async claim(orderId: string): Promise<Claim> {
      const row = await db
        .updateTable('order_changes as change')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({ claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})` })
        .where('change.order_id', '=', orderId)
        .whereRef('record.id', '=', 'change.order_id')
        .where((is) =>
          is.or([
            is('change.claimed_until', 'is', null),
            is('change.claimed_until', '<', sql<string>`now()`),
          ]),
        )
        .returning([
          'change.pharmacy_id',
          'change.status',
          'change.version',
          'record.airtable_order_id',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.use_supabase_orders',
        ])
        .executeTakeFirst()
      if (!row) return (await isThere(orderId)) ? 'claimed' : 'none'
      const { airtable_base_id: baseId, airtable_table_id: tableId } = row
      return {
        pharmacyId: row.pharmacy_id,
        recordId: row.airtable_order_id,
        status: row.status,
        version: row.version,
        location: !row.use_supabase_orders && baseId && tableId ? { baseId, tableId } : null,
      }
    },

    async release(orderId: string): Promise<void> {
      await db
        .updateTable('order_changes')
        .set({ claimed_until: null })
        .where('order_id', '=', orderId)
        .execute()
    },

    /**
     * The store has taken the change. @returns false when the order was changed again meanwhile: what
     * the store holds is noted, and the newer change is free to be pushed
     */
    finish(orderId: string, pushed: { version: number; status: string }): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        await lockOrder(tx, orderId)
        const done = await tx
          .deleteFrom('order_changes')
          .where('order_id', '=', orderId)
          .where('version', '=', pushed.version)
          .executeTakeFirst()
        if (done.numDeletedRows === 0n) {
          await tx
            .updateTable('order_changes')
            .set({ stored_status: pushed.status, claimed_until: null })
            .where('order_id', '=', orderId)
            .execute()
          return false
        }
        // A reading that is under way may have seen the store before the push, and the row that kept
        // the status from it is gone.
        await tx
          .updateTable('pharmacy_orders')
          .set({ status_changed_at: sql<string>`clock_timestamp()` })
          .where('id', '=', orderId)
          .execute()
        return true
      })
    },

    /**
     * The store will never take the change: the order goes back to what the store held before it, and
     * is read again, because readings have left the status alone while the change waited.
     * @returns false when the order was changed again meanwhile, and nothing was undone
     */
    undo(orderId: string, version: number): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        await lockOrder(tx, orderId)
        const change = await tx
          .deleteFrom('order_changes')
          .where('order_id', '=', orderId)
          .where('version', '=', version)
          .returning(['pharmacy_id', 'stored_status', 'stored_last'])
          .executeTakeFirst()
        if (!change) return false
        await tx
          .updateTable('pharmacy_orders')
          .set({
            status: change.stored_status,
            status_changed_at: sql<string>`clock_timestamp()`,
            airtable_last: change.stored_last,
          })
          .where('id', '=', orderId)
          .execute()
        await tx
          .updateTable('order_copies')
          .set({ changed_until: sql<string>`least(changed_until, ${change.stored_last})` })
          .where('pharmacy_id', '=', change.pharmacy_id)
          .where('changed_until', 'is not', null)
          .execute()
        return true
      })
    },

    /** The orders of a pharmacy with a change that waits, oldest first. */
    async waiting(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('order_changes')
        .select('order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .orderBy('changed_at')
        .execute()
      return rows.map((row) => row.order_id)
    },
  }
}

/** The order before its change, as in `record`: two that lock in one order cannot block each other. */
async function lockOrder(tx: Transaction<DB>, orderId: string): Promise<void> {
  await tx
    .selectFrom('pharmacy_orders')
    .select('id')
    .where('id', '=', orderId)
    .forUpdate()
    .execute()
}
