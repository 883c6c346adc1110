import type { StatusChange } from '@bancone/contract/order-search'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import { createGathering } from '../../../platform/gathering.ts'
import { enqueueAll } from '../../../platform/jobs.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { TablePharmacy } from '../copy/order-owner.rules.ts'
import { noHooks, type OrderHooks } from '../copy/order-upsert.store.ts'
import { tablePharmaciesOf } from '../copy/table-pharmacies.store.ts'
import type { Author } from '../order-author.ts'
import { createChangeOutcomesStore } from './order-change-outcomes.store.ts'
import {
  type AuthoredChange,
  type ChangedOrder,
  changeInOneStatement,
  changeStatuses,
} from './order-statuses.store.ts'

export const PUSH_TASK = 'orders.push'

/** Delay of the job that checks whether the change has been pushed. */
const FIRST_RETRY_SECONDS = 10

/** Of several changes, the job of each is delayed until those before it have probably been pushed. */
const PUSH_SPACING_SECONDS = 0.5

/** Lower than mails: while a source is unavailable hundreds of these jobs are due, and each waits for it. */
const PUSH_PRIORITY = 2

/** Duration of a claim; after that another process may push. */
const CLAIM_SECONDS = 30

export type ClaimedChange = {
  pharmacyId: string
  recordId: string
  status: string
  version: string
  /** Statuses that the source may have unless another user has changed it. */
  expected: string[]
  /** Null when the orders are in the database only, possibly since the change was made. */
  location: SourceLocation | null
  /** Airtable only mirrors the database: an order that was deleted there stays. */
  isMirrored: boolean
  /** The pharmacies that share the table. */
  tablePharmacies: TablePharmacy[]
}

/** `claimed`: a change is pending, but claimed by a process that may be pushing it, or may have died. */
export type Claim = ClaimedChange | 'claimed' | 'none'

export type OrderChangesStore = ReturnType<typeof createOrderChangesStore>

/** Pending status changes. Together with the outcomes store the only writer of `order_changes`. */
export function createOrderChangesStore(db: Database, hooks: OrderHooks = noHooks) {
  async function hasChange(pharmacyId: string, orderId: string): Promise<boolean> {
    const row = await db
      .selectFrom('order_changes')
      .select('order_id')
      .where('pharmacy_id', '=', pharmacyId)
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    return row !== undefined
  }

  const changeTogether = createGathering((pharmacyId, changes: readonly AuthoredChange[]) =>
    changeInOneStatement(db, pharmacyId, changes),
  )

  return {
    ...createChangeOutcomesStore(db, hooks),

    /**
     * Changes an order that is in the database only. Changes of one pharmacy wait for its counts: those that come while
     * others are written share the next statement.
     *
     * @returns undefined when there is no such order
     */
    async changeOne(
      pharmacyId: string,
      change: StatusChange,
      author: Author,
    ): Promise<ChangedOrder | undefined> {
      const { recordId, Stato } = change
      const own = { ...change, author }
      const changeAlone = async () => (await changeStatuses(db, pharmacyId, [own]))[0]
      let orders: ChangedOrder[]
      try {
        orders = await changeTogether(pharmacyId, recordId, own)
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // What PostgreSQL has refused may be the change of another caller.
        return changeAlone()
      }
      const order = orders.find(({ asked }) => asked.includes(recordId))
      if (!order) return changeAlone()
      // The statement had another change of the order, under its other record id.
      const isOther = order.asked.length > 1 && (order.to !== Stato || order.verdict === 'left')
      return isOther ? changeAlone() : order
    },

    /** Changes orders that are in the database only. */
    change(
      pharmacyId: string,
      changes: readonly StatusChange[],
      author: Author,
    ): Promise<ChangedOrder[]> {
      return changeStatuses(db, pharmacyId, authored(changes, author))
    },

    /**
     * Changes orders in the copy and records the pending push, in one transaction with the jobs that push if this
     * process does not.
     */
    record(
      pharmacyId: string,
      changes: readonly StatusChange[],
      author: Author,
    ): Promise<ChangedOrder[]> {
      return db.transaction().execute(async (tx) => {
        const orders = await changeStatuses(tx, pharmacyId, authored(changes, author))
        await recordPendingChanges(
          tx,
          pharmacyId,
          orders.filter((order) => order.verdict === 'changed'),
        )
        return orders
      })
    },

    /** Claims the change of an order for this process. */
    async claim(pharmacyId: string, orderId: string): Promise<Claim> {
      const row = await db
        .updateTable('order_changes as change')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({
          claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          attempted: sql<
            string[]
          >`array_append(array_remove(change.attempted, change.status), change.status)`,
          // The previous claim has expired: its process died, and may have sent the request.
          unsure_at: sql<string | null>`coalesce(change.claimed_until, change.unsure_at)`,
        })
        .where('change.pharmacy_id', '=', pharmacyId)
        .where('change.order_id', '=', orderId)
        .whereRef('record.pharmacy_id', '=', 'change.pharmacy_id')
        .whereRef('record.id', '=', 'change.order_id')
        .where(isInStore)
        .where((is) =>
          is.or([
            is('change.claimed_until', 'is', null),
            is('change.claimed_until', '<', sql<string>`now()`),
          ]),
        )
        .returning([
          'change.status',
          'change.version',
          'change.stored_status',
          'change.attempted',
          'record.airtable_order_id',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.orders_phase',
          sql<boolean>`exists (
            select from order_creations
            where pharmacy_id = change.pharmacy_id and order_id = change.order_id
          )`.as('isKeptHere'),
        ])
        .executeTakeFirst()
      if (!row) return (await hasChange(pharmacyId, orderId)) ? 'claimed' : 'none'
      const location = row.isKeptHere ? null : sourceLocation(row)
      return {
        pharmacyId,
        recordId: row.airtable_order_id,
        status: row.status,
        version: row.version,
        expected: [row.stored_status, ...row.attempted],
        location,
        isMirrored: row.orders_phase === 'database',
        tablePharmacies: location ? await tablePharmaciesOf(db, location) : [],
      }
    },

    async release(pharmacyId: string, orderId: string): Promise<void> {
      await db
        .updateTable('order_changes')
        .set({ claimed_until: null })
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .execute()
    },

    /** A request to the source failed without a response: it may still take effect. */
    async markUnsure(pharmacyId: string, orderId: string): Promise<void> {
      await db
        .updateTable('order_changes')
        .set({ unsure_at: sql<string>`clock_timestamp()` })
        .where('pharmacy_id', '=', pharmacyId)
        .where('order_id', '=', orderId)
        .execute()
    },

    /** The orders of a pharmacy with a pending change, oldest first. */
    async pendingOrderIds(pharmacyId: string): Promise<string[]> {
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

const authored = (changes: readonly StatusChange[], author: Author): AuthoredChange[] =>
  changes.map((change) => ({ ...change, author }))

/** An order that is still being created in the source is excluded: it must be created first. */
const isInStore = sql<boolean>`not exists (
  select from order_creations
  where pharmacy_id = change.pharmacy_id and order_id = change.order_id and not kept_here
)`

type PendingChangeRow = {
  order_id: string
  status: string
  stored_status: string
  stored_last: string
}

async function recordPendingChanges(
  tx: Database,
  pharmacyId: string,
  orders: readonly ChangedOrder[],
): Promise<void> {
  if (orders.length === 0) return
  const noted = orders.map(
    ({ orderId, from, to, lastBefore }): PendingChangeRow => ({
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
          // One parameter for all rows, so that the statement does not depend on their number.
          sql<PendingChangeRow>`jsonb_to_recordset(${JSON.stringify(noted)}::jsonb)`.as<'noted'>(
            sql`noted (order_id bigint, status text, stored_status text, stored_last timestamptz)`,
          ),
        )
        .select(sql<string>`${pharmacyId}::uuid`.as('pharmacy_id'))
        .select(['order_id', 'status', 'stored_status', 'stored_last']),
    )
    .onConflict((conflict) =>
      conflict.columns(['pharmacy_id', 'order_id']).doUpdateSet((change) => ({
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
      payload: { pharmacyId, orderId },
      key: `${PUSH_TASK}:${orderId}`,
      delaySeconds: FIRST_RETRY_SECONDS + place * PUSH_SPACING_SECONDS,
    })),
    { priority: PUSH_PRIORITY },
  )
}
