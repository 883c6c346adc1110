import { type RawBuilder, sql } from 'kysely'

/** The columns of `pharmacies` that say where its orders are. */
type SourceColumns = {
  airtable_base_id: string | null
  airtable_table_id: string | null
  orders_phase: string | null
}

/** The base and the table of a pharmacy; null where Airtable is not contacted. */
export function sourceLocation(row: SourceColumns): { baseId: string; tableId: string } | null {
  const { airtable_base_id: baseId, airtable_table_id: tableId } = row
  return row.orders_phase !== 'retired' && baseId && tableId ? { baseId, tableId } : null
}

/**
 * An SQL expression: the orders of the pharmacy are exchanged with Airtable. Both of its ids are set, and the migration
 * out of Airtable has not ended.
 *
 * @param alias the alias of `pharmacies` in the query
 */
export function isOnAirtable(alias: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`(${of('orders_phase')} <> 'retired' and coalesce(
    ${of('airtable_base_id')} <> '' and ${of('airtable_table_id')} <> '', false
  ))`
}
