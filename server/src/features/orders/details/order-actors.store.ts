import { type RawBuilder, sql } from 'kysely'

/** Longer names than this are cut: people give themselves theirs. */
const NAME_LENGTH = 100

/**
 * The name of whoever has that user id: what they call themselves, or their pharmacy's name. Null when there
 * is no such user, or no more. For a statement that has the pharmacy as `pharmacy`.
 */
export function actorName(userId: RawBuilder<string | null>) {
  return sql<string | null>`(
    select left(coalesce(
      nullif(btrim(actor.user_metadata ->> 'full_name'), ''),
      nullif(btrim(actor.user_metadata ->> 'name'), ''),
      pharmacy.name
    ), ${NAME_LENGTH}::integer)
    from auth_users actor where actor.id = ${userId} and actor.deleted_at is null
  )`
}

/** An order by its record id, or by the one that it had before its store gave it one. */
export function currentRecordId(pharmacyId: string, recordId: string) {
  return sql<string>`coalesce((
    select record_id from order_aliases where pharmacy_id = ${pharmacyId} and alias = ${recordId}
  ), ${recordId})`
}
