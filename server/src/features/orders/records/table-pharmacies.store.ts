import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { sharersOf, type TableUse } from './order-owner.rules.ts'

/** The newest orders of a pharmacy that show whether its orders name it. */
const NEWEST_CHECKED = 20

/**
 * The pharmacies whose orders are in the table, whether they currently use it or not. Deleted ones too: without them
 * their orders would pass for those of the others.
 */
export async function tablePharmaciesOf(db: Database, location: SourceLocation) {
  const { rows } = await sql<TableUse>`
    select id, name, pharmacy_id as code, phone, is_active as "isActive",
      deleted_at is not null as "isDeleted",
      exists (select from pharmacy_orders where pharmacy_id = pharmacy.id) as "hasOrders",
      exists (
        select from order_copies copy where copy.pharmacy_id = pharmacy.id and read_at is not null
          and (base_id, table_id) = (airtable_base_id, airtable_table_id)
      ) as "isRead",
      array(
        select distinct coalesce(pharma_wa, '') from (
          select pharma_wa from pharmacy_orders where pharmacy_id = pharmacy.id and origin = 'store'
          order by airtable_created desc, id desc limit ${NEWEST_CHECKED}
        ) newest
      ) as words
    from pharmacies pharmacy
    where airtable_base_id = ${location.baseId} and airtable_table_id = ${location.tableId}
  `.execute(db)
  return sharersOf(rows)
}
