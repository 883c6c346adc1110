import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { AuthUsers } from '../../database/schema.gen.ts'
import { byEmail } from './metadata.ts'

const columns = [
  'id',
  'email',
  'password_hash',
  'email_confirmed_at',
  'banned_until',
  'last_sign_in_at',
  'app_metadata',
  'user_metadata',
  'is_anonymous',
  'invited_at',
  'confirmation_sent_at',
  'recovery_sent_at',
  'reauthentication_sent_at',
  'new_email',
  'new_email_confirmed_by',
  'email_change_sent_at',
  'deleted_at',
  'created_at',
  'updated_at',
] as const

export type AuthUser = Omit<
  Pick<Selectable<AuthUsers>, (typeof columns)[number]>,
  'app_metadata' | 'user_metadata'
> & { app_metadata: unknown; user_metadata: unknown }

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

/** How addresses are stored and compared. */
export function normalEmail(email: string): string {
  return email.trim().toLowerCase()
}

/** The only writer of `auth_users`. */
export function createUsersStore(db: Database) {
  return {
    /** Whether there is any user, or any with one of these addresses. */
    async any(emails?: readonly string[]): Promise<boolean> {
      let query = db.selectFrom('auth_users').select('id').limit(1)
      if (emails) query = query.where(sql`lower(email)`, 'in', emails)
      return (await query.executeTakeFirst()) !== undefined
    },

    withEmail(email: string): Promise<AuthUser | undefined> {
      return db
        .selectFrom('auth_users')
        .select(columns)
        .where(sql`lower(email)`, '=', normalEmail(email))
        .executeTakeFirst()
    },

    withId(id: string): Promise<AuthUser | undefined> {
      return db.selectFrom('auth_users').select(columns).where('id', '=', id).executeTakeFirst()
    },

    /** Until the transaction ends nobody else changes this user. */
    lock(id: string): Promise<AuthUser | undefined> {
      return db
        .selectFrom('auth_users')
        .select(columns)
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
    },

    ofSession(sessionId: string): Promise<AuthUser | undefined> {
      return db
        .selectFrom('auth_sessions')
        .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
        .select(columns.map((column) => `auth_users.${column}` as const))
        .where('auth_sessions.id', '=', sessionId)
        .executeTakeFirst()
    },

    async page(offset: number, limit: number): Promise<{ users: AuthUser[]; total: number }> {
      const users = await db
        .selectFrom('auth_users')
        .select(columns)
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .offset(offset)
        .limit(limit)
        .execute()
      const { total } = await db
        .selectFrom('auth_users')
        .select((count) => count.fn.countAll<string>().as('total'))
        .executeTakeFirstOrThrow()
      return { users, total: Number(total) }
    },

    /** @returns undefined when the address, or the id, is taken */
    insert(user: NewUser): Promise<AuthUser | undefined> {
      const now = sql<string>`now()`
      return db
        .insertInto('auth_users')
        .values({
          ...(user.id && { id: user.id }),
          email: user.email === null ? null : normalEmail(user.email),
          password_hash: user.passwordHash,
          email_confirmed_at: user.confirmed ? now : null,
          invited_at: user.invited ? now : null,
          is_anonymous: user.isAnonymous ?? false,
          banned_until: user.bannedUntil ?? null,
          user_metadata: JSON.stringify(user.userMetadata ?? {}),
          app_metadata: JSON.stringify({
            ...(user.email !== null && byEmail),
            ...user.appMetadata,
          }),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(columns)
        .executeTakeFirst()
    },

    /** @throws a unique violation of `auth_users__email_taken` */
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
        .returning(columns)
        .executeTakeFirstOrThrow()
    },

    /** Those made before then who have no address and no session any more. @returns how many */
    async forgetAnonymous(before: string): Promise<number> {
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
