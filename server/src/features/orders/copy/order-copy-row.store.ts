import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'

/** Updates the state of a pharmacy's copy, if the copy is still that of this table. */
export function copyRow(db: Database, pharmacyId: string, location: SourceLocation) {
  return db
    .updateTable('order_copies')
    .where('pharmacy_id', '=', pharmacyId)
    .where('base_id', '=', location.baseId)
    .where('table_id', '=', location.tableId)
}
