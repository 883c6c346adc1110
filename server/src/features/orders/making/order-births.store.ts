import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { createOrderNoticesStore } from '../changes/order-notices.store.ts'
import { lockingOrder, type OrderHooks, writeOrders } from '../copy/order-writing.store.ts'
import { storedStatus } from '../orders.rules.ts'
import { takeRecordId } from './order-aliases.store.ts'
import { nextNumber, waitForTurn } from './order-numbers.store.ts'

/** What becomes of an order that was on its way to the order store. */
export function createOrderBirthsStore(db: Database, hooks: OrderHooks) {
  return {
    /**
     * The store has the order: it goes by the store's record id from now on, and is what is there.
     *
     * @returns `nothing`: it does not wait any more. `taken`: the record is that of another order that was
     * made here, or was there before this one, which goes on waiting
     */
    created(
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
        if (twin) await putAway(tx, twin.id, orderId)
        await takeRecordId(tx, pharmacyId, order.airtable_order_id, stored.recordId)
        await tx
          .updateTable('pharmacy_orders')
          .set({ airtable_order_id: stored.recordId, content_hash: null })
          .where('id', '=', orderId)
          .execute()
        await announce(tx, hooks, pharmacyId, orderId)
        await tx.deleteFrom('order_creations').where('order_id', '=', orderId).execute()
        // A change that waited for this begins with what the store has now.
        await tx
          .updateTable('order_changes')
          .set({ stored_status: storedStatus(stored), attempted: [] })
          .where('order_id', '=', orderId)
          .execute()
        const writing = { readSince: 'infinity', arriving: true }
        await writeOrders(tx, hooks, pharmacyId, [stored], writing)
        return 'done'
      })
    },

    /**
     * The store will never take it.
     *
     * @param isAwaited whoever made it still waits, and is told: there never was an order, unless they have
     * been told otherwise
     */
    refuse(
      pharmacyId: string,
      orderId: string,
      { isAwaited }: { isAwaited: boolean },
    ): Promise<'removed' | 'kept' | 'nothing'> {
      return db.transaction().execute(async (tx) => {
        const { order } = await lockBoth(tx, pharmacyId, orderId, null)
        const creation = await waitingCreation(tx, orderId)
        if (!order || !creation) return 'nothing'
        // It may be that a column is not what it was.
        await tx
          .updateTable('order_copies')
          .set({ columns_checked_at: null })
          .where('pharmacy_id', '=', pharmacyId)
          .execute()
        const recordId = order.airtable_order_id
        if (isAwaited && !creation.answered) {
          await tx
            .deleteFrom('order_requests')
            .where('pharmacy_id', '=', pharmacyId)
            .where('record_id', '=', recordId)
            .execute()
          await tx.deleteFrom('pharmacy_orders').where('id', '=', orderId).execute()
          return 'removed'
        }
        await keep(tx, hooks, pharmacyId, orderId)
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

    /** There is no store any more that could have it, or give it a number. */
    async keepHere(pharmacyId: string, orderId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await waitForTurn(tx, pharmacyId)
        const { order } = await lockBoth(tx, pharmacyId, orderId, null)
        if (!order || !(await waitingCreation(tx, orderId))) return
        if (order.order_number === null) {
          await tx
            .updateTable('pharmacy_orders')
            .set({ order_number: await nextNumber(tx, pharmacyId) })
            .where('id', '=', orderId)
            .execute()
        }
        await keep(tx, hooks, pharmacyId, orderId)
      })
    },

    /** Whoever made it is told that it is there: wherever it is, from now on it is. */
    async answer(pharmacyId: string, orderId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockBoth(tx, pharmacyId, orderId, null)
        await announce(tx, hooks, pharmacyId, orderId)
      })
    },
  }
}

type Transactional = Transaction<DB>

/** The order and the one that already has that record id, in the order in which everybody locks them. */
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
    .orderBy(lockingOrder)
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

/** A reading has brought the record before it was known to be this order: the two are one. */
async function putAway(tx: Transactional, twinId: string, orderId: string): Promise<void> {
  await sql`
    update order_changes set order_id = ${orderId}
    where order_id = ${twinId} and not exists (select from order_changes where order_id = ${orderId})
  `.execute(tx)
  await tx.deleteFrom('pharmacy_orders').where('id', '=', twinId).execute()
}

async function keep(tx: Transactional, hooks: OrderHooks, pharmacyId: string, orderId: string) {
  await tx
    .updateTable('order_creations')
    .set({ kept_here: true, claimed_until: null })
    .where('order_id', '=', orderId)
    .execute()
  await announce(tx, hooks, pharmacyId, orderId)
}

/** Now it is settled that there is such an order. One of a program is news, if nobody has touched it. */
async function announce(tx: Transactional, hooks: OrderHooks, pharmacyId: string, orderId: string) {
  const settled = await tx
    .updateTable('order_creations')
    .set({ answered: true })
    .where('order_id', '=', orderId)
    .where('answered', '=', false)
    .returning('order_id')
    .executeTakeFirst()
  if (!settled) return
  const news = await tx
    .updateTable('pharmacy_orders')
    .set({ seen_at: null })
    .where('id', '=', orderId)
    .where('origin', '=', 'api')
    .whereRef('seen_at', '=', 'created_at')
    .where('status_changed_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (news) await hooks.onArrived(tx, pharmacyId)
}
