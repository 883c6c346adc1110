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
