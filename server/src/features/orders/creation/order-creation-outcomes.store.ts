import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrderNoticesStore } from '../changes/order-notices.store.ts'
import { lockOrder, type OrderHooks, upsertOrders } from '../copy/order-upsert.store.ts'
import { storedStatus } from '../orders.rules.ts'
import { replaceRecordId } from './order-aliases.store.ts'
import { lockNewOrders, nextNumber } from './order-numbers.store.ts'

/** Records the outcomes of creating orders in the order source. */
export function createCreationOutcomesStore(db: Database, hooks: OrderHooks) {
  return {
    /**
     * The source has the order: it gets the source's record id and content.
     *
     * @returns `nothing`: the order is not pending any more. `taken`: the record belongs to another order created
     * here, or is older than this one, which stays pending
     */
    confirm(
      pharmacyId: string,
      orderId: string,
      stored: SourceOrder,
    ): Promise<'done' | 'nothing' | 'taken'> {
      return db.transaction().execute(async (tx) => {
        const { order, twin } = await lockBoth(tx, pharmacyId, orderId, stored.recordId)
        const creation = await waitingCreation(tx, orderId)
        if (!order || !creation) return 'nothing'
        const isAnother = twin && (twin.origin !== 'store' || twin.created_at < creation.created_at)
        if (isAnother) return 'taken'
        if (twin) await mergeTwin(tx, twin.id, orderId)
        await replaceRecordId(tx, pharmacyId, order.airtable_order_id, stored.recordId)
        await tx
          .updateTable('pharmacy_orders')
          .set({ airtable_order_id: stored.recordId, content_hash: null })
          .where('id', '=', orderId)
          .execute()
        await announce(tx, hooks, pharmacyId, orderId)
        await tx.deleteFrom('order_creations').where('order_id', '=', orderId).execute()
        // A pending change of the order is based on the source's current status.
        await tx
          .updateTable('order_changes')
          .set({ stored_status: storedStatus(stored), attempted: [] })
          .where('order_id', '=', orderId)
          .execute()
        const writing = { readStartedAt: 'infinity', countsAsNew: true }
        await upsertOrders(tx, hooks, pharmacyId, [stored], writing)
        return 'done'
      })
    },

    /**
     * The source rejected the order permanently.
     *
     * @param callerWaits the creator's request has not been answered: the order is deleted and the request fails,
     * unless an earlier request has been answered with success
     */
    refuse(
      pharmacyId: string,
      orderId: string,
      { callerWaits }: { callerWaits: boolean },
    ): Promise<'removed' | 'kept' | 'nothing'> {
      return db.transaction().execute(async (tx) => {
        const { order } = await lockBoth(tx, pharmacyId, orderId, null)
        const creation = await waitingCreation(tx, orderId)
        if (!order || !creation) return 'nothing'
        // A column may have been changed or removed: its check is due again.
        await tx
          .updateTable('order_copies')
          .set({ columns_checked_at: null })
          .where('pharmacy_id', '=', pharmacyId)
          .execute()
        const recordId = order.airtable_order_id
        if (callerWaits && !creation.answered) {
          await tx
            .deleteFrom('order_requests')
            .where('pharmacy_id', '=', pharmacyId)
            .where('record_id', '=', recordId)
            .execute()
          await tx.deleteFrom('pharmacy_orders').where('id', '=', orderId).execute()
          return 'removed'
        }
        await markKept(tx, hooks, pharmacyId, orderId)
        await createOrderNoticesStore(tx).add(pharmacyId, {
          recordId,
          orderNumber: order.order_number,
          kind: 'not_created',
          wanted: order.status,
          kept: order.status,
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
        const { order } = await lockBoth(tx, pharmacyId, orderId, null)
        if (!order || !(await waitingCreation(tx, orderId))) return
        if (order.order_number === null) {
          await tx
            .updateTable('pharmacy_orders')
            .set({ order_number: await nextNumber(tx, pharmacyId) })
            .where('id', '=', orderId)
            .execute()
        }
        await markKept(tx, hooks, pharmacyId, orderId)
      })
    },

    /** The request is answered with success: from now on the order must not be deleted. */
    async markAnswered(pharmacyId: string, orderId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockBoth(tx, pharmacyId, orderId, null)
        await announce(tx, hooks, pharmacyId, orderId)
      })
    },
  }
}

type Transactional = Transaction<DB>

/** The order, and another one that already has the record id, in the common lock order. */
async function lockBoth(
  tx: Transactional,
  pharmacyId: string,
  orderId: string,
  recordId: string | null,
) {
  const locked = await tx
    .selectFrom('pharmacy_orders')
    .select(['id', 'airtable_order_id', 'order_number', 'status', 'origin', 'created_at'])
    .where('pharmacy_id', '=', pharmacyId)
    .where((is) => is.or([is('id', '=', orderId), is('airtable_order_id', '=', recordId)]))
    .orderBy(lockOrder)
    .forUpdate()
    .execute()
  const order = locked.find(({ id }) => id === orderId)
  return { order, twin: locked.find(({ id }) => id !== orderId) }
}

function waitingCreation(tx: Transactional, orderId: string) {
  return tx
    .selectFrom('order_creations')
    .select(['answered', 'created_at'])
    .where('order_id', '=', orderId)
    .where('kept_here', '=', false)
    .forUpdate()
    .executeTakeFirst()
}

/** A reading has copied the record before it was matched with this order: merges the two. */
async function mergeTwin(tx: Transactional, twinId: string, orderId: string): Promise<void> {
  await sql`
    update order_changes set order_id = ${orderId}
    where order_id = ${twinId} and not exists (select from order_changes where order_id = ${orderId})
  `.execute(tx)
  await tx.deleteFrom('pharmacy_orders').where('id', '=', twinId).execute()
}

async function markKept(tx: Transactional, hooks: OrderHooks, pharmacyId: string, orderId: string) {
  await tx
    .updateTable('order_creations')
    .set({ kept_here: true, claimed_until: null })
    .where('order_id', '=', orderId)
    .execute()
  await announce(tx, hooks, pharmacyId, orderId)
}

/** The order is final. One created by an API key is announced as new, unless a user has changed it. */
async function announce(tx: Transactional, hooks: OrderHooks, pharmacyId: string, orderId: string) {
  const settled = await tx
    .updateTable('order_creations')
    .set({ answered: true })
    .where('order_id', '=', orderId)
    .where('answered', '=', false)
    .returning('order_id')
    .executeTakeFirst()
  if (!settled) return
  const markedNew = await tx
    .updateTable('pharmacy_orders')
    .set({ seen_at: null })
    .where('id', '=', orderId)
    .where('origin', '=', 'api')
    .whereRef('seen_at', '=', 'created_at')
    .where('status_changed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (markedNew) await hooks.onArrived(tx, pharmacyId)
}
