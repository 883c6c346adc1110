import type { OrderNotice } from '@bancone/contract/orders'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { type OrderHooks, writeOrders } from '../copy/order-writing.store.ts'
import { addFailure } from '../details/order-history.store.ts'
import { createOrderNoticesStore } from './order-notices.store.ts'

/** Which version of a change it was, and the status that was pushed. */
export type PushedChange = { version: string; status: string }

/** Seconds within which a request comes to pass that has not been answered, if it does. */
const UNSURE_SECONDS = 30

/** What becomes of a change that was on its way to the order store. */
export function createOrderOutcomesStore(db: Database, hooks: OrderHooks) {
  return {
    /**
     * The store has the change.
     * @param stored the record as it is there; null where there is no store
     * @returns `newer`: the order was changed again meanwhile, and that change is free to be pushed.
     * `unsure`: something that was asked of the store before may still come to pass there: the change
     * is kept, to be looked at again
     */
    finish(
      orderId: string,
      pushed: PushedChange,
      stored: SourceOrder | null,
    ): Promise<'done' | 'newer' | 'unsure'> {
      return db.transaction().execute(async (tx) => {
        await lockOrder(tx, orderId)
        const change = await tx
          .selectFrom('order_changes')
          .select([
            'pharmacy_id',
            'version',
            sql<boolean>`coalesce(
              unsure_at > now() - make_interval(secs => ${UNSURE_SECONDS}), false
            )`.as('isUnsure'),
          ])
          .where('order_id', '=', orderId)
          .executeTakeFirst()
        if (!change) return 'newer'
        const isUnsure = stored !== null && change.isUnsure
        if (isUnsure || change.version !== pushed.version) {
          await tx
            .updateTable('order_changes')
            .set({
              stored_status: pushed.status,
              claimed_until: null,
              ...(!isUnsure && { attempted: [] }),
            })
            .where('order_id', '=', orderId)
            .execute()
          return change.version === pushed.version ? 'unsure' : 'newer'
        }
        await deleteChange(tx, orderId)
        await takeStored(tx, hooks, { orderId, pharmacyId: change.pharmacy_id, stored })
        return 'done'
      })
    },

    /**
     * The change will not be made: the store refuses it, or somebody has changed the order there
     * meanwhile. The order becomes what it is there, and the pharmacy is told.
     * @returns false when the order was changed again meanwhile: that change is free to be pushed
     */
    giveUp(
      orderId: string,
      version: string,
      { kind, stored }: { kind: 'refused' | 'conflict'; stored: SourceOrder },
    ): Promise<boolean> {
      return db.transaction().execute(async (tx) => {
        await lockOrder(tx, orderId)
        const change = await deleteChange(tx, orderId, version)
        if (!change) {
          await tx
            .updateTable('order_changes')
            .set({ claimed_until: null })
            .where('order_id', '=', orderId)
            .execute()
          return false
        }
        const pharmacyId = change.pharmacy_id
        await addFailure(tx, orderId, { kind, wanted: change.status })
        const order = await takeStored(tx, hooks, { orderId, pharmacyId, stored })
        if (order)
          await tell(tx, pharmacyId, order, { kind, wanted: change.status, kept: order.status })
        // It may be that a column is not what it was.
        if (kind === 'refused') {
          await tx
            .updateTable('order_copies')
            .set({ columns_checked_at: null })
            .where('pharmacy_id', '=', pharmacyId)
            .execute()
        }
        return true
      })
    },

    /** The store does not have the order any more: nor has the copy, and the pharmacy is told. */
    async removeGone(orderId: string): Promise<void> {
      await db.transaction().execute(async (tx) => {
        await lockOrder(tx, orderId)
        const change = await deleteChange(tx, orderId)
        const order = await tx
          .deleteFrom('pharmacy_orders')
          .where('id', '=', orderId)
          .returning(['airtable_order_id', 'order_number', 'status'])
          .executeTakeFirst()
        if (!change || !order) return
        const notice = { kind: 'gone', wanted: change.status, kept: null } as const
        await tell(tx, change.pharmacy_id, order, notice)
      })
    },
  }
}

type Transactional = Transaction<DB>

/** The order before its change, as in `record`: two that lock in one order cannot block each other. */
async function lockOrder(tx: Transactional, orderId: string): Promise<void> {
  await tx
    .selectFrom('pharmacy_orders')
    .select('id')
    .where('id', '=', orderId)
    .forUpdate()
    .execute()
}

/** @param version undefined for whichever there is */
function deleteChange(tx: Transactional, orderId: string, version?: string) {
  let deletion = tx.deleteFrom('order_changes').where('order_id', '=', orderId)
  if (version !== undefined) deletion = deletion.where('version', '=', version)
  return deletion.returning(['pharmacy_id', 'status']).executeTakeFirst()
}

/**
 * The order is what the store holds, now that no change waits. A reading that is under way may have seen
 * the store before, and must not undo it.
 */
async function takeStored(
  tx: Transactional,
  hooks: OrderHooks,
  taken: { orderId: string; pharmacyId: string; stored: SourceOrder | null },
) {
  const { orderId, pharmacyId, stored } = taken
  // Read after every change of the status here, of which there is none any more.
  const writing = { readSince: 'infinity', arriving: true }
  if (stored) await writeOrders(tx, hooks, pharmacyId, [stored], writing)
  return tx
    .updateTable('pharmacy_orders')
    .set({ status_changed_at: sql<string>`clock_timestamp()` })
    .where('id', '=', orderId)
    .returning(['airtable_order_id', 'order_number', 'status'])
    .executeTakeFirst()
}

function tell(
  tx: Transactional,
  pharmacyId: string,
  order: { airtable_order_id: string; order_number: string | null },
  notice: Pick<OrderNotice, 'kind' | 'wanted' | 'kept'>,
): Promise<void> {
  return createOrderNoticesStore(tx).add(pharmacyId, {
    recordId: order.airtable_order_id,
    orderNumber: order.order_number,
    ...notice,
  })
}
