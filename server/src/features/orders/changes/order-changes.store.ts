import type { OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueue } from '../../../platform/jobs.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { Sharer } from '../copy/order-owner.rules.ts'
import { sharersOf } from '../copy/order-sharers.store.ts'
import { noHooks, type OrderHooks } from '../copy/order-writing.store.ts'
import { type KeptRecord, orderRecord, recordColumns } from '../order-rows.ts'
import { createOrderOutcomesStore } from './order-outcomes.store.ts'

export const PUSH_TASK = 'orders.push'

/** Seconds after a change at which a job looks whether it has reached the order store. */
const FIRST_RETRY_SECONDS = 10

/** Seconds a process may take for one push before another may try. */
const CLAIM_SECONDS = 30

export type ClaimedChange = {
  pharmacyId: string
  recordId: string
  status: string
  version: string
  /** What the store may hold without somebody else having changed it. */
  expected: string[]
  /** Null when the orders are kept in our database alone, be it only since the change was made. */
  location: SourceLocation | null
  /** The pharmacies of that table. */
  sharers: Sharer[]
}

/** `claimed`: there is a change, and whoever has it may still be at it, or have died. */
export type Claim = ClaimedChange | 'claimed' | 'none'

export type OrderChangesStore = ReturnType<typeof createOrderChangesStore>

/** The changes on their way to the order store: with what became of them the only writer of `order_changes`. */
export function createOrderChangesStore(db: Database, hooks: OrderHooks = noHooks) {
  async function isThere(orderId: string): Promise<boolean> {
    const row = await db
      .selectFrom('order_changes')
      .select('order_id')
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    return row !== undefined
  }

  return {
    ...createOrderOutcomesStore(db, hooks),

    /**
     * Changes the copy and notes that the store must follow, in one transaction together with the job
     * that will see to it if this process does not.
     */
    record(
      pharmacyId: string,
      recordId: string,
      status: OrderStatus,
    ): Promise<{ orderId: string; version: string; record: KeptRecord } | undefined> {
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
            seen_at: sql<string>`coalesce(seen_at, clock_timestamp())`,
            // Whatever is read next is not what is here.
            content_hash: null,
          })
          .where('id', '=', before.id)
          .returning(recordColumns)
          .executeTakeFirstOrThrow()
        const { version } = await tx
          .insertInto('order_changes')
          .values({
            order_id: before.id,
            pharmacy_id: pharmacyId,
            status,
            stored_status: before.status,
            stored_last: before.airtable_last,
          })
          .onConflict((conflict) =>
            conflict.column('order_id').doUpdateSet((change) => ({
              status,
              version: change.ref('excluded.version'),
              changed_at: sql<string>`now()`,
            })),
          )
          .returning('version')
          .executeTakeFirstOrThrow()
        await enqueue(
          tx,
          PUSH_TASK,
          { orderId: before.id },
          { key: `${PUSH_TASK}:${before.id}`, delaySeconds: FIRST_RETRY_SECONDS },
        )
        return { orderId: before.id, version, record: orderRecord(row) }
      })
    },

    /** Reserves the change of an order for this process. */
    async claim(orderId: string): Promise<Claim> {
      const row = await db
        .updateTable('order_changes as change')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({
          claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          attempted: sql<
            string[]
          >`array_append(array_remove(change.attempted, change.status), change.status)`,
          // Whoever had claimed it has died, and nobody knows how far it came.
          unsure_at: sql<string | null>`coalesce(change.claimed_until, change.unsure_at)`,
        })
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
          'change.stored_status',
          'change.attempted',
          'record.airtable_order_id',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.use_supabase_orders',
        ])
        .executeTakeFirst()
      if (!row) return (await isThere(orderId)) ? 'claimed' : 'none'
      const { airtable_base_id: baseId, airtable_table_id: tableId } = row
      const location = !row.use_supabase_orders && baseId && tableId ? { baseId, tableId } : null
      return {
        pharmacyId: row.pharmacy_id,
        recordId: row.airtable_order_id,
        status: row.status,
        version: row.version,
        expected: [row.stored_status, ...row.attempted],
        location,
        sharers: location ? await sharersOf(db, location) : [],
      }
    },

    async release(orderId: string): Promise<void> {
      await db
        .updateTable('order_changes')
        .set({ claimed_until: null })
        .where('order_id', '=', orderId)
        .execute()
    },

    /** The store was asked, and did not answer: what was asked may come to pass all the same. */
    async doubt(orderId: string): Promise<void> {
      await db
        .updateTable('order_changes')
        .set({ unsure_at: sql<string>`clock_timestamp()` })
        .where('order_id', '=', orderId)
        .execute()
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
