import type { Database } from '../../../database/database.ts'

/**
 * What was kept under a record id of our own is kept under the store's from now on, and who asks for the
 * first finds the second: the only writer of `order_aliases`. The order itself is left to the caller.
 *
 * @param tx a transaction that has locked the order
 */
export async function takeRecordId(
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
