import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceOrder } from '../../../ports/order-source.ts'
import type { OrderHooks } from '../copy/order-writing.store.ts'
import { isSameOrder, madeSince } from './new-orders.rules.ts'
import { createOrderBirthsStore } from './order-births.store.ts'

/**
 * What is read of the store may be an order that was made here, and which the store has been asked to make
 * without having said yet that it did: it is that order, and not another one.
 */
export async function adoptCreated(
  db: Database,
  hooks: OrderHooks,
  pharmacyId: string,
  orders: readonly SourceOrder[],
): Promise<void> {
  const sent = await sentCreations(db, pharmacyId)
  if (sent.length === 0) return
  const births = createOrderBirthsStore(db, hooks)
  for (const order of orders) {
    const same = sent.filter(
      (made) => order.createdAt >= madeSince(made) && isSameOrder(order, made),
    )
    for (const made of same) {
      if ((await births.created(pharmacyId, made.orderId, order)) === 'done') break
    }
  }
}

async function sentCreations(db: Database, pharmacyId: string) {
  const rows = await db
    .selectFrom('order_creations as creation')
    .innerJoin('pharmacy_orders as record', 'record.id', 'creation.order_id')
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
    madeAt: row.created_at,
  }))
}
