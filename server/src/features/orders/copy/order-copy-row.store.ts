import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'

/** What is known of the copy of a pharmacy's orders, if it is still the copy of that table. */
export function copyRow(db: Database, pharmacyId: string, location: SourceLocation) {
  return db
    .updateTable('order_copies')
    .where('pharmacy_id', '=', pharmacyId)
    .where('base_id', '=', location.baseId)
    .where('table_id', '=', location.tableId)
}
