import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import type { ComparedCopy } from './migration-verdict.rules.ts'

/** Those of the orders that the copy has, by record id. */
export async function copiedByIds(
  db: Database,
  pharmacyId: string,
  recordIds: readonly string[],
): Promise<Map<string, ComparedCopy>> {
  const { rows } = await copies(
    pharmacyId,
    sql`and record.airtable_order_id = any(${recordIds}::text[])`,
  ).execute(db)
  return new Map(rows.map((row) => [row.record_id, row]))
}

/** All orders of the copy, or those of some months, in portions. */
export async function* allCopied(
  db: Database,
  pharmacyId: string,
  months?: readonly string[],
): AsyncGenerator<ComparedCopy[]> {
  const ofMonths = months
    ? sql`and to_char(record.airtable_created at time zone 'UTC', 'YYYY-MM') = any(${months}::text[])`
    : sql``
  for (let last = ''; ; ) {
    const { rows } = await copies(
      pharmacyId,
      sql`${ofMonths} and record.airtable_order_id > ${last}
        order by record.airtable_order_id limit ${PORTION}`,
    ).execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < PORTION) return
    last = rows.at(-1)?.record_id ?? last
  }
}

const PORTION = 1_000

function copies(pharmacyId: string, narrowed: RawBuilder<unknown>) {
  return sql<ComparedCopy>`
    select record.id, record.airtable_order_id as record_id, record.order_number, record.wa_id,
      record.customer_name, record.customer_phone,
      record.order_details, record.address, record.status, record.image_ref, record.pharma_wa,
      record.airtable_created, record.airtable_last,
      exists (
        select from order_changes where pharmacy_id = record.pharmacy_id and order_id = record.id
      ) as has_change,
      exists (
        select from order_creations where pharmacy_id = record.pharmacy_id and order_id = record.id
      ) as is_made_here
    from pharmacy_orders record
    where record.pharmacy_id = ${pharmacyId} ${narrowed}
  `
}
