import { type RawBuilder, sql } from 'kysely'

/**
 * The name of whoever has that user id: what they call themselves, what their pharmacy calls them, also after
 * they left it, or the pharmacy's name. Null when there is no such user, or no more. For a statement that has the pharmacy as `pharmacy`.
 */
export function actorName(userId: RawBuilder<string | null>) {
  return sql<string | null>`coalesce(
    person_name(${userId}, pharmacy.id),
    (select pharmacy.name from auth_users where id = ${userId} and deleted_at is null)
  )`
}

/** An order by its record id, or by the one that it had before its store gave it one. */
export function currentRecordId(pharmacyId: string, recordId: string) {
  return sql<string>`coalesce((
    select record_id from order_aliases where pharmacy_id = ${pharmacyId} and alias = ${recordId}
  ), ${recordId})`
}
