import type { Database } from '../../../database/database.ts'

/**
 * Replaces our record id by that of the source in all tables but `pharmacy_orders`, which the caller updates, and
 * stores ours as an alias: the only writer of `order_aliases`.
 *
 * @param tx a transaction that has locked the order
 */
export async function replaceRecordId(
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
