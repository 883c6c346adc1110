import type { OrderRecord, OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
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
  location: SourceLocation | null
}

export type OrderChangesStore = ReturnType<typeof createOrderChangesStore>

/** The changes on their way to the order store: the only writer of `order_changes`. */
export function createOrderChangesStore(db: Database) {
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
          .select(['id', 'status'])
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

    /** The change of an order, reserved for this process. @returns undefined when there is none to push */
    async claim(orderId: string): Promise<ClaimedChange | undefined> {
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
        ])
        .executeTakeFirst()
      if (!row) return undefined
      const { airtable_base_id: baseId, airtable_table_id: tableId } = row
      return {
        pharmacyId: row.pharmacy_id,
        recordId: row.airtable_order_id,
        status: row.status,
        version: row.version,
        location: baseId && tableId ? { baseId, tableId } : null,
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
    async finish(orderId: string, pushed: { version: number; status: string }): Promise<boolean> {
      const done = await db
        .deleteFrom('order_changes')
        .where('order_id', '=', orderId)
        .where('version', '=', pushed.version)
        .executeTakeFirst()
      if (done.numDeletedRows > 0n) return true
      await db
        .updateTable('order_changes')
        .set({ stored_status: pushed.status, claimed_until: null })
        .where('order_id', '=', orderId)
        .execute()
      return false
    },

    /**
     * The store will never take the change: the order goes back to what the store holds.
     * @returns false when the order was changed again meanwhile, and nothing was undone
     */
    undo(orderId: string, version: number): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        // The order first, as in `record`: two that lock in the same order cannot block each other.
        await tx
          .selectFrom('pharmacy_orders')
          .select('id')
          .where('id', '=', orderId)
          .forUpdate()
          .execute()
        const change = await tx
          .deleteFrom('order_changes')
          .where('order_id', '=', orderId)
          .where('version', '=', version)
          .returning('stored_status')
          .executeTakeFirst()
        if (!change) return false
        await tx
          .updateTable('pharmacy_orders')
          .set({
            status: change.stored_status,
            status_changed_at: sql<string>`clock_timestamp()`,
          })
          .where('id', '=', orderId)
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
