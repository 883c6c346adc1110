import { type RawBuilder, sql } from 'kysely'

/** A condition on `pharmacy_orders`: orders with this number, of digits or other signs. Each form has an index. */
export function hasOrderNumber(number: string): RawBuilder<boolean> {
  if (/^\d{1,15}$/.test(number)) return sql`order_seq = ${number}::bigint`
  const spelt = [number, number.toUpperCase(), number.toLowerCase()]
  return sql`order_seq is null and order_number = any(${spelt}::text[])`
}
