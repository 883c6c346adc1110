import type { StatusChange } from '@bancone/contract/bulk-changes'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isDatabaseUnavailable } from '../../../database/errors.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import { createKeyedBatches } from '../../../platform/batches.ts'
import { enqueueAll } from '../../../platform/jobs.ts'
import type { SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import { addFailure } from '../records/order-history.store.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { lockOrderRow, updateOrder } from '../records/order-locks.store.ts'
import { createOrderNoticesStore } from '../records/order-notices.store.ts'
import type { TablePharmacy } from '../records/order-owner.rules.ts'
import { AFTER_ALL_CHANGES, upsertOrders } from '../records/order-upsert.store.ts'
import type { Author } from '../records/orders-owner.ts'
import { tablePharmaciesOf } from '../records/table-pharmacies.store.ts'
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

/** Time in which a request without a response may still take effect in the source. */
const UNSURE_SECONDS = 30

/** Duration of a claim; after that another process may push. */
const CLAIM_SECONDS = 30

/** Milliseconds after which changes do not wait any longer for a statement that hangs. */
const PATIENCE_MS = 1_000

/** The version of a change and the status that was pushed. */
type PushedChange = { version: string; status: string }

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

/**
 * Pending status changes and the outcomes of pushing them. `order-creations.store.ts` moves those of an order that gets its
 * record id, and a trigger adds those of a pharmacy that goes back to Airtable.
 */
export function createOrderChangesStore(db: Database, hooks: OrderHooks) {
  async function hasChange(pharmacyId: string, orderId: string): Promise<boolean> {
    const row = await db
      .selectFrom('order_changes')
      .select('order_id')
      .where('pharmacy_id', '=', pharmacyId)
      .where('order_id', '=', orderId)
      .executeTakeFirst()
    return row !== undefined
  }

  /** @param isPushed a change is also queued for Airtable, with the job that pushes it if this process does not */
  const changeAll = (
    pharmacyId: string,
    wanted: readonly StatusChange[],
    author: Author,
    isPushed: boolean,
  ) =>
    db.transaction().execute(async (tx) => {
      const orders = await changeStatuses(tx, hooks, pharmacyId, authored(wanted, author))
      if (isPushed) await queuePushes(tx, pharmacyId, orders)
      return orders
    })

  const together = createKeyedBatches(
    (pharmacyId, wanted: readonly AuthoredChange[]) =>
      db.transaction().execute((tx) => changeInOneStatement(tx, hooks, pharmacyId, wanted)),
    { idOf: ({ recordId }) => recordId, patienceMs: PATIENCE_MS },
  )

  /** Changes of one pharmacy wait for its counts: those that come while others are written share the next statement. */
  async function changeWithOthers(pharmacyId: string, change: StatusChange, author: Author) {
    const { recordId, Stato } = change
    let orders: ChangedOrder[]
    try {
      orders = await together.add(pharmacyId, { ...change, author })
    } catch (error) {
      if (isDatabaseUnavailable(error)) throw error
      // What PostgreSQL has refused may be the change of another caller.
      return undefined
    }
    const order = orders.find(({ requestedIds }) => requestedIds.includes(recordId))
    // The statement had another change of the order, under its other record id.
    const isOther =
      order &&
      order.requestedIds.length > 1 &&
      (order.to !== Stato || order.verdict === 'changed_meanwhile')
    return isOther ? undefined : order
  }

  return {
    /** Changes orders, each independently. */
    change: changeAll,

    /** @returns undefined when there is no such order */
    async changeOne(pharmacyId: string, change: StatusChange, author: Author, isPushed: boolean) {
      const order = isPushed ? undefined : await changeWithOthers(pharmacyId, change, author)
      return order ?? (await changeAll(pharmacyId, [change], author, isPushed))[0]
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
        .where(isInSource)
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
      await updateChange(db, pharmacyId, orderId).set({ claimed_until: null }).execute()
    },

    /** A request to the source failed without a response: it may still take effect. */
    async markUnsure(pharmacyId: string, orderId: string): Promise<void> {
      await updateChange(db, pharmacyId, orderId)
        .set({ unsure_at: sql<string>`clock_timestamp()` })
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

    /**
     * The source has the status.
     * @param stored the record in the source; null where there is no source
     * @returns `nothing`: no change is pending any more. `newer`: the order was changed again meanwhile, and that change can be claimed. `unsure`: an earlier
     * request may still take effect in the source, so the change is kept and checked again
     */
    finish(pharmacyId: string, orderId: string, pushed: PushedChange, stored: SourceOrder | null) {
      return db.transaction().execute(async (tx) => {
        await lockOrderRow(tx, pharmacyId, orderId)
        const change = await tx
          .selectFrom('order_changes')
          .select([
            'version',
            sql<boolean>`coalesce(
              unsure_at > now() - make_interval(secs => ${UNSURE_SECONDS}), false
            )`.as('isUnsure'),
          ])
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .executeTakeFirst()
        if (!change) return 'nothing'
        const isUnsure = stored !== null && change.isUnsure
        if (isUnsure || change.version !== pushed.version) {
          await updateChange(tx, pharmacyId, orderId)
            .set({
              stored_status: pushed.status,
              claimed_until: null,
              ...(!isUnsure && { attempted: [] }),
            })
            .execute()
          return change.version === pushed.version ? 'unsure' : 'newer'
        }
        await deleteChange(tx, pharmacyId, orderId)
        await applyStored(tx, hooks, pharmacyId, orderId, stored)
        return 'done'
      })
    },

    /**
     * The change was rejected by the source, or the order was changed there meanwhile. The order takes the state of
     * the source, and the pharmacy gets a notice.
     * @returns false when the order was changed again meanwhile: that change can be claimed
     */
    giveUp(
      pharmacyId: string,
      orderId: string,
      version: string,
      { kind, stored }: { kind: 'refused' | 'conflict'; stored: SourceOrder },
    ): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        await lockOrderRow(tx, pharmacyId, orderId)
        const change = await deleteChange(tx, pharmacyId, orderId, version)
        if (!change) {
          await updateChange(tx, pharmacyId, orderId).set({ claimed_until: null }).execute()
          return false
        }
        await addFailure(tx, pharmacyId, orderId, { kind, wanted: change.status })
        const order = await applyStored(tx, hooks, pharmacyId, orderId, stored)
        if (order) {
          const notice = { ...order, kind, wanted: change.status }
          await createOrderNoticesStore(tx).add(pharmacyId, notice)
        }
        return true
      })
    },

    /** The source no longer has the order: it is removed from the copy, and the pharmacy gets a notice. */
    async removeGone(pharmacyId: string, orderId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockOrderRow(tx, pharmacyId, orderId)
        const change = await deleteChange(tx, pharmacyId, orderId)
        const order = await tx
          .deleteFrom('pharmacy_orders')
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', orderId)
          .returning(['airtable_order_id as recordId', 'order_number as orderNumber'])
          .executeTakeFirst()
        if (!change || !order) return
        const notice = { ...order, kind: 'gone', wanted: change.status, kept: null } as const
        await createOrderNoticesStore(tx).add(pharmacyId, notice)
      })
    },
  }
}

const authored = (changes: readonly StatusChange[], author: Author): AuthoredChange[] =>
  changes.map((change) => ({ ...change, author }))

/** An order that is still being created in the source is excluded: it must be created first. */
const isInSource = sql<boolean>`not exists (
  select from order_creations
  where pharmacy_id = change.pharmacy_id and order_id = change.order_id and not kept_here
)`

async function queuePushes(tx: Database, pharmacyId: string, changed: readonly ChangedOrder[]) {
  const orders = changed.filter(({ verdict }) => verdict === 'changed')
  if (orders.length === 0) return
  const queued = orders.map(({ orderId, from, to, lastBefore }) => ({
    orderId,
    from,
    to,
    lastBefore,
  }))
  // One parameter for all rows, so that the statement does not depend on their number.
  await sql`
    insert into order_changes (pharmacy_id, order_id, status, stored_status, stored_last)
    select ${pharmacyId}::uuid, "orderId", "to", "from", "lastBefore"
    from jsonb_to_recordset(${JSON.stringify(queued)}::jsonb)
      as queued ("orderId" bigint, "to" text, "from" text, "lastBefore" timestamptz)
    on conflict (pharmacy_id, order_id) do update
      set status = excluded.status, version = excluded.version, changed_at = now()
  `.execute(tx)
  await enqueuePushes(
    tx,
    pharmacyId,
    orders.map(({ orderId }) => orderId),
  )
}

/** Adds the jobs that bring to Airtable what waits of orders, should this process not do it before. @param tx a transaction */
export function enqueuePushes(tx: Database, pharmacyId: string, orderIds: readonly string[]) {
  return enqueueAll(
    tx,
    PUSH_TASK,
    orderIds.map((orderId, place) => ({
      payload: { pharmacyId, orderId },
      key: `${PUSH_TASK}:${orderId}`,
      delaySeconds: FIRST_RETRY_SECONDS + place * PUSH_SPACING_SECONDS,
    })),
    { priority: PUSH_PRIORITY },
  )
}

/** Updates the pending change of an order. */
function updateChange(tx: Database, pharmacyId: string, orderId: string) {
  return tx
    .updateTable('order_changes')
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', orderId)
}

/** @param version undefined: delete any version */
function deleteChange(tx: Database, pharmacyId: string, orderId: string, version?: string) {
  return tx
    .deleteFrom('order_changes')
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', orderId)
    .$if(version !== undefined, (deletion) => deletion.where('version', '=', version ?? ''))
    .returning('status')
    .executeTakeFirst()
}

/**
 * Applies the source's record, since no change is pending any more. A concurrent reading may have read an older state
 * and must not overwrite it.
 */
async function applyStored(
  tx: Database,
  hooks: OrderHooks,
  pharmacyId: string,
  orderId: string,
  stored: SourceOrder | null,
) {
  if (stored) await upsertOrders(tx, hooks, pharmacyId, [stored], AFTER_ALL_CHANGES)
  return updateOrder(tx, pharmacyId, orderId)
    .set({ status_changed_at: sql<string>`clock_timestamp()` })
    .returning(['airtable_order_id as recordId', 'order_number as orderNumber', 'status as kept'])
    .executeTakeFirst()
}
