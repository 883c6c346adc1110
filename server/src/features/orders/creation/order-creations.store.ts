import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { sourceLocation } from '../../../database/on-airtable.ts'
import type { NewSourceOrder, SourceLocation, SourceOrder } from '../../../ports/order-source.ts'
import { moveHold } from '../records/order-holds.store.ts'
import type { OrderHooks } from '../records/order-hooks.ts'
import { lockOrder, updateOrder } from '../records/order-locks.store.ts'
import { createOrderNoticesStore } from '../records/order-notices.store.ts'
import type { TablePharmacy } from '../records/order-owner.rules.ts'
import { AFTER_ALL_CHANGES, upsertOrders } from '../records/order-upsert.store.ts'
import { storedStatus } from '../records/orders.rules.ts'
import { tablePharmaciesOf } from '../records/table-pharmacies.store.ts'
import {
  type CreatedOrder,
  createdSince,
  isNew,
  isOfAnother,
  isSameOrder,
} from './new-orders.rules.ts'
import { lockNewOrders, nextNumber } from './order-numbers.store.ts'

export const CREATE_TASK = 'orders.create'

/** Duration of a claim; after that another process may try. */
const CLAIM_SECONDS = 30

/** Time in which a request without a response may still take effect in the source. */
const UNSURE_SECONDS = 30

/** Number of newest orders of which one should contain the pharmacy's `PharmaWA`. */
const NEWEST_CHECKED = 20

export type ClaimedCreation = {
  pharmacyId: string
  /** Identifies this claim when it is released. */
  claim: string
  order: Omit<NewSourceOrder, 'pharmaWa'> & CreatedOrder
  /**
   * When the creation was last requested without a response. `recently`: it may still take effect. `before`: so long
   * ago that the record exists or never will.
   */
  lastSent: 'never' | 'recently' | 'before'
  /** Null when the orders are in the database only, possibly since the order was created. */
  location: SourceLocation | null
  /** The pharmacies that share the table. */
  tablePharmacies: TablePharmacy[]
  /** `PharmaWA` of the pharmacy's newest order in the source. */
  lastPharmaWa: string | null
}

export type OrderCreationsStore = ReturnType<typeof createOrderCreationsStore>

/** Forgets that these orders are to be created in the source, which has refused them. */
export async function deleteKeptHere(
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
): Promise<void> {
  await tx
    .deleteFrom('order_creations')
    .where('pharmacy_id', '=', pharmacyId)
    .where('kept_here', '=', true)
    .where(sql<boolean>`order_id = any(${orderIds}::bigint[])`)
    .execute()
}

/**
 * Orders to be created in the source, and the outcomes of that. With the store of new orders the only writer of
 * `order_creations`.
 */
export function createOrderCreationsStore(db: Database, hooks: OrderHooks) {
  async function isPending(pharmacyId: string, orderId: string): Promise<boolean> {
    const row = await db
      .selectFrom('order_creations')
      .select('order_id')
      .where('pharmacy_id', '=', pharmacyId)
      .where('order_id', '=', orderId)
      .where('kept_here', '=', false)
      .executeTakeFirst()
    return row !== undefined
  }

  async function lastPharmaWa(pharmacyId: string): Promise<string | null> {
    const rows = await db
      .selectFrom('pharmacy_orders')
      .select('pharma_wa')
      .where('pharmacy_id', '=', pharmacyId)
      .orderBy('airtable_created', 'desc')
      .orderBy('id', 'desc')
      .limit(NEWEST_CHECKED)
      .execute()
    return rows.find(({ pharma_wa }) => pharma_wa !== null)?.pharma_wa ?? null
  }

  return {
    /**
     * Claims an order for this process.
     * @returns `claimed`: another process has claimed it, and may have died; `none`: it is not pending any more
     */
    async claim(pharmacyId: string, orderId: string) {
      const row = await db
        .updateTable('order_creations as creation')
        .from('pharmacy_orders as record')
        .innerJoin('pharmacies as pharmacy', 'pharmacy.id', 'record.pharmacy_id')
        .set({
          claimed_until: sql<string>`now() + make_interval(secs => ${CLAIM_SECONDS})`,
          // The previous claim has expired: its process died, and may have sent the request.
          unsure_at: sql<string | null>`coalesce(creation.claimed_until, creation.unsure_at)`,
        })
        .where('creation.pharmacy_id', '=', pharmacyId)
        .where('creation.order_id', '=', orderId)
        .where('creation.kept_here', '=', false)
        .whereRef('record.pharmacy_id', '=', 'creation.pharmacy_id')
        .whereRef('record.id', '=', 'creation.order_id')
        .where((is) =>
          is.or([
            is('creation.claimed_until', 'is', null),
            is('creation.claimed_until', '<', sql<string>`now()`),
          ]),
        )
        .returning([
          sql<string>`creation.claimed_until::text`.as('claim'),
          'creation.created_at',
          'record.order_number',
          'record.customer_name',
          'record.customer_phone',
          'record.address',
          'record.order_details',
          'record.status',
          'pharmacy.airtable_base_id',
          'pharmacy.airtable_table_id',
          'pharmacy.orders_phase',
          sql<ClaimedCreation['lastSent']>`case
            when creation.unsure_at is null then 'never'
            when creation.unsure_at > now() - make_interval(secs => ${UNSURE_SECONDS})
            then 'recently' else 'before' end`.as('asked'),
        ])
        .executeTakeFirst()
      if (!row) return (await isPending(pharmacyId, orderId)) ? 'claimed' : 'none'
      const location = sourceLocation(row)
      const tablePharmacies = location ? await tablePharmaciesOf(db, location) : []
      return {
        pharmacyId,
        claim: row.claim,
        order: {
          orderNumber: row.order_number,
          customerName: row.customer_name ?? '',
          customerPhone: row.customer_phone,
          address: row.address,
          details: row.order_details ?? '',
          status: row.status,
          createdAt: row.created_at,
        },
        lastSent: row.asked,
        location,
        tablePharmacies,
        lastPharmaWa: tablePharmacies.length > 1 ? await lastPharmaWa(pharmacyId) : null,
      }
    },

    /** Releases the claim, unless it has expired and another process has claimed the order. */
    async release(pharmacyId: string, orderId: string, claim: string): Promise<void> {
      await updateCreation(db, pharmacyId, orderId)
        .set({ claimed_until: null })
        .where(sql<boolean>`claimed_until = ${claim}::timestamptz`)
        .execute()
    },

    /** The same, after a request without a response: it may still take effect. */
    async markUnsure(pharmacyId: string, orderId: string, claim: string): Promise<void> {
      await updateCreation(db, pharmacyId, orderId)
        .set({
          claimed_until: sql<string | null>`nullif(claimed_until, ${claim}::timestamptz)`,
          unsure_at: sql<string>`clock_timestamp()`,
        })
        .execute()
    },

    /** The pending orders of a pharmacy, oldest first. */
    async pendingOrderIds(pharmacyId: string): Promise<string[]> {
      const rows = await db
        .selectFrom('order_creations')
        .select('order_id')
        .where('pharmacy_id', '=', pharmacyId)
        .where('kept_here', '=', false)
        .orderBy('created_at')
        .orderBy('order_id')
        .execute()
      return rows.map((row) => row.order_id)
    },

    /**
     * The source has the order: it gets the source's record id and content.
     *
     * @returns `nothing`: the order is not pending any more. `taken`: the record belongs to another order created
     * here, or is older than this one, which stays pending
     */
    confirm(pharmacyId: string, orderId: string, stored: SourceOrder) {
      return db.transaction().execute(async (tx) => {
        const { order, holder } = await lockPending(tx, pharmacyId, orderId, stored.recordId)
        if (!order) return 'nothing'
        if (holder && isOfAnother(order, holder)) return 'taken'
        if (holder) {
          if (!order.hasChange) {
            await tx
              .updateTable('order_changes')
              .set({ order_id: orderId })
              .where('pharmacy_id', '=', pharmacyId)
              .where('order_id', '=', holder.id)
              .execute()
          }
          await moveHold(tx, pharmacyId, holder.id, orderId)
          await tx
            .deleteFrom('pharmacy_orders')
            .where('pharmacy_id', '=', pharmacyId)
            .where('id', '=', holder.id)
            .execute()
        }
        await replaceRecordId(tx, pharmacyId, order.recordId, stored.recordId)
        await updateOrder(tx, pharmacyId, orderId)
          .set({ airtable_order_id: stored.recordId, content_hash: null })
          .execute()
        if (isNew(order)) await announce(tx, hooks, pharmacyId, orderId)
        await tx
          .deleteFrom('order_creations')
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .execute()
        // A pending change of the order is based on the source's current status.
        await tx
          .updateTable('order_changes')
          .set({ stored_status: storedStatus(stored), attempted: [] })
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .execute()
        await upsertOrders(tx, hooks, pharmacyId, [stored], AFTER_ALL_CHANGES)
        return 'done'
      })
    },

    /**
     * The source rejected the order permanently.
     *
     * @param callerWaits the creator's request has not been answered: the order is deleted and the request fails,
     * unless an earlier request has been answered with success
     */
    refuse(pharmacyId: string, orderId: string, { callerWaits }: { callerWaits: boolean }) {
      return db.transaction().execute(async (tx) => {
        const { order } = await lockPending(tx, pharmacyId, orderId, null)
        if (!order) return 'nothing'
        const { recordId, orderNumber, status } = order
        if (callerWaits && !order.answered) {
          await tx
            .deleteFrom('order_requests')
            .where('pharmacy_id', '=', pharmacyId)
            .where('record_id', '=', recordId)
            .execute()
          await tx
            .deleteFrom('pharmacy_orders')
            .where('pharmacy_id', '=', pharmacyId)
            .where('id', '=', orderId)
            .execute()
          return 'removed'
        }
        await markKept(tx, pharmacyId, orderId)
        if (isNew(order)) await announce(tx, hooks, pharmacyId, orderId)
        await createOrderNoticesStore(tx).add(pharmacyId, {
          recordId,
          orderNumber,
          kind: 'not_created',
          wanted: status,
          kept: status,
        })
        return 'kept'
      })
    },

    /**
     * The pharmacy has no order source any more: the order stays in the database, and gets a number if it has none.
     */
    async keepLocally(pharmacyId: string, orderId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockNewOrders(tx, pharmacyId)
        const { order } = await lockPending(tx, pharmacyId, orderId, null)
        if (!order) return
        if (order.orderNumber === null) {
          await updateOrder(tx, pharmacyId, orderId)
            .set({ order_number: await nextNumber(tx, pharmacyId) })
            .execute()
        }
        await markKept(tx, pharmacyId, orderId)
        if (isNew(order)) await announce(tx, hooks, pharmacyId, orderId)
      })
    },

    /** The request is answered with success: from now on the order must not be deleted. */
    async markAnswered(pharmacyId: string, orderId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        const { order } = await lockPending(tx, pharmacyId, orderId, null)
        if (!order) return
        await updateCreation(tx, pharmacyId, orderId).set({ answered: true }).execute()
        if (isNew(order)) await announce(tx, hooks, pharmacyId, orderId)
      })
    },
  }
}

/**
 * Locks a pending order, and another one that already has the record id, in the common lock order, then its creation.
 *
 * @returns `order` undefined: it is not pending any more
 */
async function lockPending(
  tx: Database,
  pharmacyId: string,
  orderId: string,
  recordId: string | null,
) {
  const locked = await tx
    .selectFrom('pharmacy_orders')
    .select(['id', 'airtable_order_id as recordId', 'order_number as orderNumber', 'status'])
    .select(['origin', 'created_at as createdAt', 'status_changed_at as statusChangedAt'])
    // Compared here, because times are read with milliseconds only.
    .select(sql<boolean>`coalesce(seen_at = created_at, false)`.as('isUnseen'))
    .where('pharmacy_id', '=', pharmacyId)
    .where((is) => is.or([is('id', '=', orderId), is('airtable_order_id', '=', recordId)]))
    .orderBy(lockOrder)
    .forUpdate()
    .execute()
  // A status change is written under the lock of its order: a statement that starts now sees it.
  const creation = await tx
    .selectFrom('order_creations as creation')
    .select(['answered', 'created_at as requestedAt'])
    .select(
      sql<boolean>`exists (
        select from order_changes
        where pharmacy_id = creation.pharmacy_id and order_id = creation.order_id
      )`.as('hasChange'),
    )
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', orderId)
    .where('kept_here', '=', false)
    .forUpdate()
    .executeTakeFirst()
  const order = locked.find(({ id }) => id === orderId)
  return {
    order: order && creation && { ...order, ...creation },
    holder: locked.find(({ id }) => id !== orderId),
  }
}

/** Updates the creation of an order. */
function updateCreation(tx: Database, pharmacyId: string, orderId: string) {
  return tx
    .updateTable('order_creations')
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', orderId)
}

/** The order stays in the database only, and is final. */
async function markKept(tx: Database, pharmacyId: string, orderId: string): Promise<void> {
  await updateCreation(tx, pharmacyId, orderId)
    .set({ kept_here: true, claimed_until: null, answered: true })
    .execute()
}

/** Marks the order as new to the pharmacy. */
async function announce(tx: Database, hooks: OrderHooks, pharmacyId: string, orderId: string) {
  await updateOrder(tx, pharmacyId, orderId).set({ seen_at: null }).execute()
  await hooks.onArrived(tx, pharmacyId)
}

/**
 * Replaces our record id by that of the source in all tables but `pharmacy_orders`, which the caller updates, and
 * stores ours as an alias: the only writer of `order_aliases`.
 *
 * @param tx a transaction that has locked the order
 */
async function replaceRecordId(tx: Database, pharmacyId: string, own: string, recordId: string) {
  for (const table of ['order_events', 'order_notes', 'order_requests'] as const) {
    await tx
      .updateTable(table)
      .set({ record_id: recordId })
      .where('pharmacy_id', '=', pharmacyId)
      .where('record_id', '=', own)
      .execute()
  }
  await tx
    .insertInto('order_aliases')
    .values({ pharmacy_id: pharmacyId, alias: own, record_id: recordId })
    .execute()
}

/**
 * Matches records read from the source with orders that were created here and sent without a response, so that such a
 * record is not copied as another order.
 */
export async function linkCreatedOrders(
  db: Database,
  hooks: OrderHooks,
  pharmacyId: string,
  orders: readonly SourceOrder[],
): Promise<void> {
  const sent = await sentCreations(db, pharmacyId)
  if (sent.length === 0) return
  const creations = createOrderCreationsStore(db, hooks)
  for (const order of orders) {
    const same = sent.filter(
      (created) => order.createdAt >= createdSince(created) && isSameOrder(order, created),
    )
    for (const created of same) {
      if ((await creations.confirm(pharmacyId, created.orderId, order)) === 'done') break
    }
  }
}

async function sentCreations(db: Database, pharmacyId: string) {
  const rows = await db
    .selectFrom('order_creations as creation')
    .innerJoin('pharmacy_orders as record', (join) =>
      join
        .onRef('record.pharmacy_id', '=', 'creation.pharmacy_id')
        .onRef('record.id', '=', 'creation.order_id'),
    )
    .select(['record.id', 'record.customer_name', 'record.customer_phone'])
    .select(['record.order_details', 'creation.created_at'])
    .where('creation.pharmacy_id', '=', pharmacyId)
    .where('creation.kept_here', '=', false)
    .where(sql<boolean>`coalesce(creation.claimed_until, creation.unsure_at) is not null`)
    .orderBy('creation.created_at')
    .execute()
  return rows.map((row) => ({
    orderId: row.id,
    customerName: row.customer_name ?? '',
    customerPhone: row.customer_phone,
    details: row.order_details ?? '',
    createdAt: row.created_at,
  }))
}
