import type { StatusChange } from '@bancone/contract/order-search'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { enqueueAll } from '../../../platform/jobs.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { Sharer } from '../copy/order-owner.rules.ts'
import { sharersOf } from '../copy/order-sharers.store.ts'
import { noHooks, type OrderHooks } from '../copy/order-writing.store.ts'
import type { Author } from '../order-author.ts'
import { createOrderOutcomesStore } from './order-outcomes.store.ts'
import { type ChangedOrder, changeStatuses } from './order-statuses.store.ts'

export const PUSH_TASK = 'orders.push'

/** Seconds after a change at which a job looks whether it has reached the order store. */
const FIRST_RETRY_SECONDS = 10

/** Of several changes, the job of each comes when those before it have probably been pushed. */
const PUSH_SECONDS = 0.5

/** After mails and the like: while a store is away hundreds of these are due, and each waits for it. */
const PUSH_PRIORITY = 2

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

/** `claimed`: there is a change that is not to be pushed now; whoever has it may still be at it, or have died. */
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

    /** Changes orders that are in our database alone. */
    change(
      pharmacyId: string,
      changes: readonly StatusChange[],
      author: Author,
    ): Promise<ChangedOrder[]> {
      return changeStatuses(db, pharmacyId, changes, author)
    },

    /**
     * Changes the copy and notes that the store must follow, in one transaction together with the jobs
     * that will see to it if this process does not.
     */
    record(
      pharmacyId: string,
      changes: readonly StatusChange[],
      author: Author,
    ): Promise<ChangedOrder[]> {
      return db.transaction().execute(async (tx) => {
        const orders = await changeStatuses(tx, pharmacyId, changes, author)
        await noteToPush(
          tx,
          pharmacyId,
          orders.filter((order) => order.verdict === 'changed'),
        )
        return orders
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
        .where(isInStore)
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
          sql<boolean>`exists (
            select from order_creations where order_id = change.order_id
          )`.as('isKeptHere'),
        ])
        .executeTakeFirst()
      if (!row) return (await isThere(orderId)) ? 'claimed' : 'none'
      const { airtable_base_id: baseId, airtable_table_id: tableId } = row
      const isStored = !row.use_supabase_orders && !row.isKeptHere
      const location = isStored && baseId && tableId ? { baseId, tableId } : null
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
        .orderBy('order_id')
        .execute()
      return rows.map((row) => row.order_id)
    },
  }
}

/** One that was made here, and is on its way there, is not: what becomes of it comes first. */
const isInStore = sql<boolean>`not exists (
  select from order_creations where order_id = change.order_id and not kept_here
)`

type NotedChange = {
  order_id: string
  status: string
  stored_status: string
  stored_last: string
}

async function noteToPush(
  tx: Database,
  pharmacyId: string,
  orders: readonly ChangedOrder[],
): Promise<void> {
  if (orders.length === 0) return
  const noted = orders.map(
    ({ orderId, from, to, lastBefore }): NotedChange => ({
      order_id: orderId,
      status: to,
      stored_status: from,
      stored_last: lastBefore,
    }),
  )
  await tx
    .insertInto('order_changes')
    .columns(['pharmacy_id', 'order_id', 'status', 'stored_status', 'stored_last'])
    .expression((from) =>
      from
        .selectFrom(
          // The rows as one value, so that it is one statement to PostgreSQL however many there are.
          sql<NotedChange>`jsonb_to_recordset(${JSON.stringify(noted)}::jsonb)`.as<'noted'>(
            sql`noted (order_id bigint, status text, stored_status text, stored_last timestamptz)`,
          ),
        )
        .select(sql<string>`${pharmacyId}::uuid`.as('pharmacy_id'))
        .select(['order_id', 'status', 'stored_status', 'stored_last']),
    )
    .onConflict((conflict) =>
      conflict.column('order_id').doUpdateSet((change) => ({
        status: change.ref('excluded.status'),
        version: change.ref('excluded.version'),
        changed_at: sql<string>`now()`,
      })),
    )
    .execute()
  await enqueueAll(
    tx,
    PUSH_TASK,
    orders.map(({ orderId }, place) => ({
      payload: { orderId },
      key: `${PUSH_TASK}:${orderId}`,
      delaySeconds: FIRST_RETRY_SECONDS + place * PUSH_SECONDS,
    })),
    { priority: PUSH_PRIORITY },
  )
}
