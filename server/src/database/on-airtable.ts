import { type RawBuilder, sql } from 'kysely'

/**
 * An SQL expression: the orders of the pharmacy are read from Airtable. Both of its ids are set and the switch to the
 * database is not.
 *
 * @param alias the alias of `pharmacies` in the query
 */
export function isOnAirtable(alias: string): RawBuilder<boolean> {
  const of = (column: string) => sql.ref(`${alias}.${column}`)
  return sql<boolean>`(not ${of('use_supabase_orders')} and coalesce(
    ${of('airtable_base_id')} <> '' and ${of('airtable_table_id')} <> '', false
  ))`
}
