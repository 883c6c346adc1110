import type { OrderNotice } from '@bancone/contract/orders'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { DB } from '../../../database/schema.gen.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import { type OrderHooks, upsertOrders } from '../copy/order-upsert.store.ts'
import { addFailure } from '../details/order-history.store.ts'
import { createOrderNoticesStore } from './order-notices.store.ts'

/** The version of a change and the status that was pushed. */
export type PushedChange = { version: string; status: string }

/** Time in which a request without a response may still take effect in the source. */
const UNSURE_SECONDS = 30

/** Records the outcomes of pushing status changes to the order source. */
export function createChangeOutcomesStore(db: Database, hooks: OrderHooks) {
  return {
    /**
     * The source has the status.
     * @param stored the record in the source; null where there is no source
     * @returns `newer`: the order was changed again meanwhile, and that change can be claimed. `unsure`: an earlier
     * request may still take effect in the source, so the change is kept and checked again
     */
    finish(
      pharmacyId: string,
      orderId: string,
      pushed: PushedChange,
      stored: SourceOrder | null,
    ): Promise<'done' | 'newer' | 'unsure'> {
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
            .where('pharmacy_id', '=', pharmacyId)
            .where('order_id', '=', orderId)
            .execute()
          return change.version === pushed.version ? 'unsure' : 'newer'
        }
        await deleteChange(tx, pharmacyId, orderId)
        await applyStored(tx, hooks, { orderId, pharmacyId, stored })
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
          await tx
            .updateTable('order_changes')
            .set({ claimed_until: null })
            .where('pharmacy_id', '=', pharmacyId)
            .where('order_id', '=', orderId)
            .execute()
          return false
        }
        await addFailure(tx, pharmacyId, orderId, { kind, wanted: change.status })
        const order = await applyStored(tx, hooks, { orderId, pharmacyId, stored })
        if (order)
          await addNotice(tx, pharmacyId, order, {
            kind,
            wanted: change.status,
            kept: order.status,
          })
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
          .returning(['airtable_order_id', 'order_number', 'status'])
          .executeTakeFirst()
        if (!change || !order) return
        const notice = { kind: 'gone', wanted: change.status, kept: null } as const
        await addNotice(tx, pharmacyId, order, notice)
      })
    },
  }
}

type Transactional = Transaction<DB>

/** Locks the order before its change, in the same order as `record`, to avoid deadlocks. */
async function lockOrderRow(tx: Transactional, pharmacyId: string, orderId: string): Promise<void> {
  await tx
    .selectFrom('pharmacy_orders')
    .select('id')
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', orderId)
    .forUpdate()
    .execute()
}

/** @param version undefined: delete any version */
function deleteChange(tx: Transactional, pharmacyId: string, orderId: string, version?: string) {
  let deletion = tx
    .deleteFrom('order_changes')
    .where('pharmacy_id', '=', pharmacyId)
    .where('order_id', '=', orderId)
  if (version !== undefined) deletion = deletion.where('version', '=', version)
  return deletion.returning('status').executeTakeFirst()
}

/**
 * Applies the source's record, since no change is pending any more. A concurrent reading may have read an older state
 * and must not overwrite it.
 */
async function applyStored(
  tx: Transactional,
  hooks: OrderHooks,
  taken: { orderId: string; pharmacyId: string; stored: SourceOrder | null },
) {
  const { orderId, pharmacyId, stored } = taken
  // Later than every status change here, of which none is pending.
  const writing = { readStartedAt: 'infinity', countsAsNew: true }
  if (stored) await upsertOrders(tx, hooks, pharmacyId, [stored], writing)
  return tx
    .updateTable('pharmacy_orders')
    .set({ status_changed_at: sql<string>`clock_timestamp()` })
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', orderId)
    .returning(['airtable_order_id', 'order_number', 'status'])
    .executeTakeFirst()
}

function addNotice(
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
