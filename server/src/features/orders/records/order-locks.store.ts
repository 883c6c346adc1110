import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'

/** Updates an order by its id. */
export function updateOrder(tx: Database, pharmacyId: string, orderId: string) {
  return tx
    .updateTable('pharmacy_orders')
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', orderId)
}

/** Locks an order before what belongs to it, as everywhere, to avoid deadlocks. */
export async function lockOrderRow(tx: Database, pharmacyId: string, orderId: string) {
  await tx
    .selectFrom('pharmacy_orders')
    .select('id')
    .where('pharmacy_id', '=', pharmacyId)
    .where('id', '=', orderId)
    .forUpdate()
    .execute()
}

/** The order in which several orders are locked, everywhere. */
export const lockOrder = sql`airtable_order_id collate "C"`
