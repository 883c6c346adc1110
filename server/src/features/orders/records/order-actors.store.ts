import { type RawBuilder, sql } from 'kysely'

/**
 * SQL for the name of a user: their own name, the name given by the pharmacy, also after they have left it, or the
 * pharmacy's name. Null when the user does not exist any more. The statement must contain the pharmacy as `pharmacy`.
 */
export function actorName(userId: RawBuilder<string | null>) {
  return sql<string | null>`coalesce(
    person_name(${userId}, pharmacy.id),
    (select pharmacy.name from auth_users where id = ${userId} and deleted_at is null)
  )`
}

/** SQL for the current record id of an order, which may be given by an alias. */
export function currentRecordId(pharmacyId: string, recordId: string) {
  return sql<string>`coalesce((
    select record_id from order_aliases where pharmacy_id = ${pharmacyId} and alias = ${recordId}
  ), ${recordId})`
}
