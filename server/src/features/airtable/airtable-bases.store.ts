import { AppError } from '../../app-error.ts'
import type { Database } from '../../database/database.ts'
import { sourceLocation } from '../../database/on-airtable.ts'
import type { SourceLocation } from '../../ports/order-source.ts'

/** Where a pharmacy's orders are, and how many other pharmacies have orders in the same base. */
export async function baseOf(
  db: Database,
  pharmacyId: string,
): Promise<{ location: SourceLocation | null; otherPharmacies: number }> {
  const pharmacy = await db
    .selectFrom('pharmacies')
    .select(['airtable_base_id', 'airtable_table_id', 'orders_phase'])
    .where('id', '=', pharmacyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!pharmacy) throw new AppError('pharmacies.not_found')
  const location = sourceLocation(pharmacy)
  if (!location) return { location, otherPharmacies: 0 }
  const { others } = await db
    .selectFrom('pharmacies')
    .select((select) => select.fn.countAll<string>().as('others'))
    .where('airtable_base_id', '=', location.baseId)
    .where('id', '<>', pharmacyId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { location, otherPharmacies: Number(others) }
}
