import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrderNoticesStore } from '../changes/order-notices.store.ts'
import { lockOrder, type OrderHooks, upsertOrders } from '../copy/order-upsert.store.ts'
import { moveHold } from '../expiry/order-holds.store.ts'
import { storedStatus } from '../orders.rules.ts'
import { confirmation, isNew, needsNumber, refusal } from './order-creation-outcomes.rules.ts'
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
        const { order, holder } = await lockPending(tx, pharmacyId, orderId, stored.recordId)
        if (!order) return 'nothing'
        const decision = confirmation(order, holder)
        if (decision.kind === 'taken') return 'taken'
        if (decision.kind === 'merge') {
          if (decision.movesChange) await moveChange(tx, pharmacyId, decision.holderId, orderId)
          await moveHold(tx, pharmacyId, decision.holderId, orderId)
          await tx
            .deleteFrom('pharmacy_orders')
            .where('pharmacy_id', '=', pharmacyId)
            .where('id', '=', decision.holderId)
            .execute()
        }
        await replaceRecordId(tx, pharmacyId, order.recordId, stored.recordId)
        await tx
          .updateTable('pharmacy_orders')
          .set({ airtable_order_id: stored.recordId, content_hash: null })
          .where('pharmacy_id', '=', pharmacyId)
          .where('id', '=', orderId)
          .execute()
        if (decision.isNew) await announce(tx, hooks, pharmacyId, orderId)
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
        const { order } = await lockPending(tx, pharmacyId, orderId, null)
        if (!order) return 'nothing'
        const { recordId, orderNumber, status } = order
        const decision = refusal(order, callerWaits)
        if (decision.kind === 'remove') {
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
        if (decision.isNew) await announce(tx, hooks, pharmacyId, orderId)
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
        if (needsNumber(order)) {
          await tx
            .updateTable('pharmacy_orders')
            .set({ order_number: await nextNumber(tx, pharmacyId) })
            .where('pharmacy_id', '=', pharmacyId)
            .where('id', '=', orderId)
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
        await tx
          .updateTable('order_creations')
          .set({ answered: true })
          .where('pharmacy_id', '=', pharmacyId)
          .where('order_id', '=', orderId)
          .execute()
        if (isNew(order)) await announce(tx, hooks, pharmacyId, orderId)
      })
    },
  }
}

type Transactional = Transaction<DB>

/**
 * Locks a pending order, and another one that already has the record id, in the common lock order, then its creation.
 *
 * @returns `order` undefined: it is not pending any more
 */
async function lockPending(
  tx: Transactional,
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

async function moveChange(
  tx: Transactional,
  pharmacyId: string,
  fromId: string,
  toId: string,
): Promise<void> {
  await tx
    .updateTable('order_changes')
    .set({ order_id: toId })
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', fromId)
    .execute()
}

/** The order stays in the database only, and is final. */
async function markKept(tx: Transactional, pharmacyId: string, orderId: string): Promise<void> {
  await tx
    .updateTable('order_creations')
    .set({ kept_here: true, claimed_until: null, answered: true })
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', orderId)
    .execute()
}

/** Marks the order as new to the pharmacy. */
async function announce(tx: Transactional, hooks: OrderHooks, pharmacyId: string, orderId: string) {
  await tx
    .updateTable('pharmacy_orders')
    .set({ seen_at: null })
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', orderId)
    .execute()
  await hooks.onArrived(tx, pharmacyId)
}

/**
 * Replaces our record id by that of the source in all tables but `pharmacy_orders`, which the caller updates, and
 * stores ours as an alias: the only writer of `order_aliases`.
 *
 * @param tx a transaction that has locked the order
 */
async function replaceRecordId(
  tx: Database,
  pharmacyId: string,
  own: string,
  recordId: string,
): Promise<void> {
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
