import { type RawBuilder, sql } from 'kysely'

/**
 * An SQL condition: the account is neither deleted nor banned. While a pharmacy's primary account is inactive, its
 * colleagues and API keys have no access either.
 *
 * @param alias the alias of `auth_users` in the query
 */
export function isActiveAccount(alias: string): RawBuilder<boolean> {
  const [deletedAt, bannedUntil] = [
    sql.ref(`${alias}.deleted_at`),
    sql.ref(`${alias}.banned_until`),
  ]
  return sql<boolean>`(${deletedAt} is null and coalesce(${bannedUntil} <= now(), true))`
}

/** When the day began that is today in Rome. */
export const startOfToday = sql<string>`rome_midnight(rome_day(now()))`

/** A condition on `pharmacy_orders`: orders with this number, of digits or other signs. Each form has an index. */
export function hasOrderNumber(number: string): RawBuilder<boolean> {
  if (/^\d{1,15}$/.test(number)) return sql`order_seq = ${number}::bigint`
  const spelt = [number, number.toUpperCase(), number.toLowerCase()]
  return sql`order_seq is null and order_number = any(${spelt}::text[])`
}

/** A condition on `pharmacy_orders`: whether a ready order of the pharmacy is overdue on a day in Rome. */
export function isOverdue(pharmacyId: string, day: string): RawBuilder<boolean> {
  return sql`is_to_collect and ${day}::date >= first_overdue_day(ready_at, kept_until,
    (select overdue_days from order_pickup_settings settings where settings.pharmacy_id = ${pharmacyId}))`
}
