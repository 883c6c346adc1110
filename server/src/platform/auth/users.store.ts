import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../database/database.ts'
import { violatesConstraint } from '../../database/errors.ts'
import type { AuthFactors, AuthIdentities, AuthUsers } from '../../database/schema.gen.ts'
import { AuthError } from './auth-error.ts'
import { emailProviderMetadata } from './metadata.ts'

/** The authenticator assurance level of a session: aal1 by one factor, aal2 by two. */
export type AssuranceLevel = 'aal1' | 'aal2'

/** A factor without its secret. Sorted by creation. */
export type UserFactor = Omit<Selectable<AuthFactors>, 'user_id' | 'secret' | 'last_step'>

/** An identity at an external provider. Sorted by creation. */
export type UserIdentity = Omit<Selectable<AuthIdentities>, 'user_id'>

export type AuthUser = Omit<Selectable<AuthUsers>, 'app_metadata' | 'user_metadata'> & {
  app_metadata: unknown
  user_metadata: unknown
  factors: UserFactor[]
  identities: UserIdentity[]
}

/** Both are few, and every response about a user contains them. */
const withFactorsAndIdentities = [
  sql<UserFactor[]>`coalesce((
    select json_agg(json_build_object(
      'id', id, 'friendly_name', friendly_name, 'factor_type', factor_type, 'status', status,
      'created_at', ${iso('created_at')}, 'updated_at', ${iso('updated_at')},
      'last_challenged_at', ${iso('last_challenged_at')}
    ) order by auth_factors.created_at, id) from auth_factors where user_id = auth_users.id
  ), '[]')`.as('factors'),
  sql<UserIdentity[]>`coalesce((
    select json_agg(json_build_object(
      'id', id, 'provider', provider, 'subject', subject, 'email', auth_identities.email,
      'identity_data', identity_data, 'last_sign_in_at', ${iso('last_sign_in_at')},
      'created_at', ${iso('created_at')}, 'updated_at', ${iso('updated_at')}
    ) order by auth_identities.created_at, id) from auth_identities where user_id = auth_users.id
  ), '[]')`.as('identities'),
] as const

/** In UTC, as the driver formats times elsewhere. */
function iso(column: string) {
  const format = 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', ${sql.lit(format)})`
}

export type NewUser = {
  id?: string | undefined
  email: string | null
  passwordHash: string | null
  confirmed: boolean
  isAnonymous?: boolean
  invited?: boolean
  userMetadata?: Record<string, unknown> | undefined
  appMetadata?: Record<string, unknown> | undefined
  bannedUntil?: string | null
}

export type UserChange = Omit<Updateable<AuthUsers>, 'id' | 'app_metadata' | 'user_metadata'> & {
  app_metadata?: Record<string, unknown>
  user_metadata?: Record<string, unknown>
}

/** The form in which addresses are stored and compared. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** The only writer of `auth_users`. */
export function createUsersStore(db: Database) {
  const users = () => db.selectFrom('auth_users').selectAll().select(withFactorsAndIdentities)

  return {
    /** Whether there is any user, or one with any of these addresses. */
    async exists(emails?: readonly string[]): Promise<boolean> {
      let query = db.selectFrom('auth_users').select('id').limit(1)
      if (emails) query = query.where(sql`lower(email)`, 'in', emails)
      return (await query.executeTakeFirst()) !== undefined
    },

    findByEmail(email: string): Promise<AuthUser | undefined> {
      return users().where(sql`lower(email)`, '=', normalizeEmail(email)).executeTakeFirst()
    },

    findById(id: string): Promise<AuthUser | undefined> {
      return users().where('id', '=', id).executeTakeFirst()
    },

    /** Locks the user until the transaction ends. */
    lock(id: string): Promise<AuthUser | undefined> {
      return users().where('id', '=', id).forUpdate().executeTakeFirst()
    },

    /** The user of a session, with the session's current level. */
    findBySession(sessionId: string): Promise<(AuthUser & { aal: AssuranceLevel }) | undefined> {
      return db
        .selectFrom('auth_sessions')
        .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
        .selectAll('auth_users')
        .select(withFactorsAndIdentities)
        .select(sql<AssuranceLevel>`auth_sessions.aal`.as('aal'))
        .where('auth_sessions.id', '=', sessionId)
        .executeTakeFirst()
    },

    async page(offset: number, limit: number): Promise<{ users: AuthUser[]; total: number }> {
      const page = await users()
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute()
      const { total } = await db
        .selectFrom('auth_users')
        .select((count) => count.fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      return { users: page, total: Number(total) }
    },

    /** @returns undefined when the address or the id is taken */
    insert(user: NewUser): Promise<AuthUser | undefined> {
      const now = sql<string>`now()`
      return db
        .insertInto('auth_users')
        .values({
          ...(user.id && { id: user.id }),
          email: user.email === null ? null : normalizeEmail(user.email),
          password_hash: user.passwordHash,
          email_confirmed_at: user.confirmed ? now : null,
          invited_at: user.invited ? now : null,
          is_anonymous: user.isAnonymous ?? false,
          banned_until: user.bannedUntil ?? null,
          user_metadata: JSON.stringify(user.userMetadata ?? {}),
          app_metadata: JSON.stringify({
            ...(user.email !== null && emailProviderMetadata),
            ...user.appMetadata,
          }),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .returning(withFactorsAndIdentities)
        .executeTakeFirst()
    },

    /** @throws AuthError `email_exists` when another user has the address: the constraint decides between requests */
    update(id: string, change: UserChange): Promise<AuthUser> {
      const { app_metadata, user_metadata, ...plain } = change
      return db
        .updateTable('auth_users')
        .set({
          ...plain,
          ...(app_metadata && { app_metadata: JSON.stringify(app_metadata) }),
          ...(user_metadata && { user_metadata: JSON.stringify(user_metadata) }),
          updated_at: sql<string>`now()`,
        })
        .where('id', '=', id)
        .returningAll()
        .returning(withFactorsAndIdentities)
        .executeTakeFirstOrThrow()
        .catch((error: unknown) => {
          const isTaken = violatesConstraint(error, 'auth_users__email_taken')
          throw isTaken ? new AuthError('email_exists') : error
        })
    },

    /** Deletes anonymous users that were created before then and have no session. @returns how many */
    async deleteAbandonedAnonymous(before: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_users')
        .where('is_anonymous', '=', true)
        .where('created_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('auth_sessions')
                .select('id')
                .whereRef('auth_sessions.user_id', '=', 'auth_users.id'),
            ),
          ),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    async delete(id: string): Promise<void> {
      await db.deleteFrom('auth_users').where('id', '=', id).execute()
    },
  }
}
