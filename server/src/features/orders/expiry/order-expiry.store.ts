import type { OrderStatus } from '@bancone/contract/orders'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { isOnAirtable } from '../../../database/on-airtable.ts'
import type { Audit } from '../../../platform/audit.ts'
import { createOrderNoticesStore } from '../changes/order-notices.store.ts'
import { lockOrder } from '../copy/order-upsert.store.ts'
import { deleteAliases } from '../creation/order-aliases.store.ts'
import { deleteItemsOf } from '../migration/migration-items.store.ts'

/** Orders whose data are removed in one transaction. */
const BATCH_SIZE = 500

/** Additional days for orders that still wait: after these they count as closed. */
const WAITING_DAYS = 180

const WAITING: OrderStatus = 'In attesa'
const CANCELLED: OrderStatus = 'Annullato'

/** Removes rows of other features that lead from orders to their customers. */
export type ForgetCustomers = (
  tx: Database,
  pharmacyId: string,
  orderIds: readonly string[],
) => Promise<void>

type Dependencies = { audit: Pick<Audit, 'record'>; forgetCustomers: ForgetCustomers }

export type OrderExpiryStore = ReturnType<typeof createOrderExpiryStore>

/** Anonymizes old orders. */
export function createOrderExpiryStore(db: Database, { audit, forgetCustomers }: Dependencies) {
  return {
    /** The pharmacies whose orders are in this database only. */
    async pharmacyIds(): Promise<string[]> {
      const rows = await db
        .selectFrom('pharmacies')
        .select('id')
        .where(sql<boolean>`not ${isOnAirtable('pharmacies')}`)
        .where('deleted_at', 'is', null)
        .orderBy('id')
        .execute()
      return rows.map(({ id }) => id)
    },

    /**
     * Removes the customer's data of orders whose last change is so many days ago. What remains is the pharmacy, the
     * number, the times and the status; one that waits is cancelled.
     *
     * @returns the number of orders; call again until it is 0
     */
    expire(pharmacyId: string, days: number): Promise<number> {
      return db.transaction().execute(async (tx) => {
        const orders = await lockExpired(tx, pharmacyId, days)
        if (orders.length === 0) return 0
        const ids = orders.map(({ id }) => id)
        const oldIds = orders.map(({ recordId }) => recordId)
        const newIds = await strip(tx, pharmacyId, ids)
        await forgetHistory(tx, pharmacyId, [...oldIds, ...newIds])
        await recordExpiry(tx, pharmacyId, newIds)
        await forgetCustomers(tx, pharmacyId, ids)
        const details = { orders: ids.length }
        await audit.record(
          { action: 'orders_expired', userId: null, pharmacyId, role: 'system', details },
          tx,
        )
        return ids.length
      })
    },
  }
}

function lockExpired(
  tx: Database,
  pharmacyId: string,
  days: number,
): Promise<{ id: string; recordId: string }[]> {
  const isExpired = sql<boolean>`pharmacy_id = ${pharmacyId}
    and airtable_last < now() - make_interval(days => ${days}::integer)
    and (status <> ${WAITING} or airtable_last < now() - make_interval(days => ${days + WAITING_DAYS}::integer))
    and num_nonnulls(
      customer_name, customer_phone, address, order_details, image_url, wa_id, pharma_wa
    ) > 0`
  const some = tx.selectFrom('pharmacy_orders').select('id').where(isExpired).limit(BATCH_SIZE)
  return tx
    .selectFrom('pharmacy_orders')
    .select(['id', 'airtable_order_id as recordId'])
    .where(sql<boolean>`id = any(array(${some}))`)
    .where(isExpired)
    .orderBy(lockOrder)
    .forUpdate()
    .execute()
}

/** @returns the new record ids: the old ones lead to the records of the order source */
async function strip(tx: Database, pharmacyId: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .updateTable('pharmacy_orders')
    .set({
      airtable_order_id: sql<string>`'rec' || left(replace(gen_random_uuid()::text, '-', ''), 14)`,
      customer_name: null,
      customer_phone: null,
      address: null,
      order_details: null,
      image_url: null,
      image_ref: null,
      wa_id: null,
      pharma_wa: null,
      content_hash: null,
      made_by: null,
      made_in: null,
      changed_by: null,
      changed_in: null,
      status: sql<string>`case status when ${WAITING} then ${CANCELLED} else status end`,
      seen_at: sql<string>`coalesce(seen_at, now())`,
    })
    .where('pharmacy_id', '=', pharmacyId)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .returning('airtable_order_id')
    .execute()
  return rows.map((row) => row.airtable_order_id)
}

/** Deletes what names the orders by these record ids. */
async function forgetHistory(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
): Promise<void> {
  for (const table of ['order_events', 'order_notes'] as const) {
    await tx
      .deleteFrom(table)
      .where('pharmacy_id', '=', pharmacyId)
      .where('record_id', 'in', recordIds)
      .execute()
  }
  await deleteAliases(tx, pharmacyId, recordIds)
  await deleteItemsOf(tx, pharmacyId, recordIds)
  await createOrderNoticesStore(tx).dismiss(pharmacyId, recordIds)
}

async function recordExpiry(
  tx: Database,
  pharmacyId: string,
  recordIds: readonly string[],
): Promise<void> {
  const events = recordIds.map((recordId) => ({
    pharmacy_id: pharmacyId,
    record_id: recordId,
    kind: 'expired',
    source: 'system',
  }))
  await tx.insertInto('order_events').values(events).execute()
}
