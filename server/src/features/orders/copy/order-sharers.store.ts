import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import type { Sharer } from './order-owner.rules.ts'

/** The pharmacies whose orders are in that table, whether they use it just now or not. */
export async function sharersOf(db: Database, location: SourceLocation): Promise<Sharer[]> {
  return db
    .selectFrom('pharmacies')
    .select(['id', 'name', 'pharmacy_id as code', 'phone'])
    .where('airtable_base_id', '=', location.baseId)
    .where('airtable_table_id', '=', location.tableId)
    .execute()
}
