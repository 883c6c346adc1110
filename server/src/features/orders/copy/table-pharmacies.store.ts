import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { TablePharmacy } from './order-owner.rules.ts'

/**
 * The pharmacies whose orders are in the table, whether they currently use it or not. Deleted ones too: without them
 * their orders would pass for those of the others.
 */
export async function tablePharmaciesOf(
  db: Database,
  location: SourceLocation,
): Promise<TablePharmacy[]> {
  return db
    .selectFrom('pharmacies')
    .select(['id', 'name', 'pharmacy_id as code', 'phone'])
    .where('airtable_base_id', '=', location.baseId)
    .where('airtable_table_id', '=', location.tableId)
    .execute()
}
