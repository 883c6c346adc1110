import { type RawBuilder, sql } from 'kysely'

/**
 * Whether an account is neither closed nor shut out. Where that of a pharmacy is not, nobody answers for what
 * its colleagues and its programs do.
 *
 * @param as what the query calls that row of `auth_users`
 */
export function isUsable(as: string): RawBuilder<boolean> {
  const [closed, shutOut] = [sql.ref(`${as}.deleted_at`), sql.ref(`${as}.banned_until`)]
  return sql<boolean>`(${closed} is null and coalesce(${shutOut} <= now(), true))`
}
