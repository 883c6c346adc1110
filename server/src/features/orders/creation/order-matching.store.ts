import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import type { OrderHooks } from '../copy/order-upsert.store.ts'
import { createdSince, isSameOrder } from './new-orders.rules.ts'
import { createCreationOutcomesStore } from './order-creation-outcomes.store.ts'

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
  const outcomes = createCreationOutcomesStore(db, hooks)
  for (const order of orders) {
    const same = sent.filter(
      (created) => order.createdAt >= createdSince(created) && isSameOrder(order, created),
    )
    for (const created of same) {
      if ((await outcomes.confirm(pharmacyId, created.orderId, order)) === 'done') break
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
