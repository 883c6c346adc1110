import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type AuthUser = {
  id: string
  email: string
  password_hash: string | null
  email_confirmed_at: string | null
  banned_until: string | null
  last_sign_in_at: string | null
  app_metadata: unknown
  user_metadata: unknown
  created_at: string
  updated_at: string
}

const userColumns = [
  'id',
  'email',
  'password_hash',
  'email_confirmed_at',
  'banned_until',
  'last_sign_in_at',
  'app_metadata',
  'user_metadata',
  'created_at',
  'updated_at',
] as const

export type AuthMethod = { method: string; timestamp: number }

type AuthQueries = ReturnType<typeof queries>

export type AuthStore = AuthQueries & {
  transaction<T>(work: (store: AuthQueries) => Promise<T>): Promise<T>
}

/** The only writer of `auth_users`, `auth_sessions` and `auth_refresh_tokens`. */
export function createAuthStore(db: Database): AuthStore {
  return {
    ...queries(db),
    transaction: (work) => db.transaction().execute((tx) => work(queries(tx))),
  }
}

function queries(db: Database) {
  return {
    /** Whether there is any user, or any with one of these addresses. */
    async hasUsers(emails?: readonly string[]): Promise<boolean> {
      let query = db.selectFrom('auth_users').select('id').limit(1)
      if (emails) query = query.where(sql`lower(email)`, 'in', emails)
      return (await query.executeTakeFirst()) !== undefined
    },

    userByEmail(email: string): Promise<AuthUser | undefined> {
      return db
        .selectFrom('auth_users')
        .select(userColumns)
        .where(sql`lower(email)`, '=', email.trim().toLowerCase())
        .executeTakeFirst()
    },

    userOfSession(sessionId: string): Promise<AuthUser | undefined> {
      return db
        .selectFrom('auth_sessions')
        .innerJoin('auth_users', 'auth_users.id', 'auth_sessions.user_id')
        .select(userColumns.map((column) => `auth_users.${column}` as const))
        .where('auth_sessions.id', '=', sessionId)
        .executeTakeFirst()
    },

    insertUser(user: { email: string; passwordHash: string | null; confirmed: boolean }) {
      return db
        .insertInto('auth_users')
        .values({
          email: user.email.trim().toLowerCase(),
          password_hash: user.passwordHash,
          email_confirmed_at: user.confirmed ? sql<string>`now()` : null,
          app_metadata: JSON.stringify({ provider: 'email', providers: ['email'] }),
        })
        .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
        .returning('id')
        .executeTakeFirst()
    },

    markSignedIn(userId: string) {
      return db
        .updateTable('auth_users')
        .set({ last_sign_in_at: sql<string>`now()` })
        .where('id', '=', userId)
        .returning(userColumns)
        .executeTakeFirstOrThrow()
    },

    async insertSession(session: { id: string; userId: string; amr: AuthMethod[] }): Promise<void> {
      await db
        .insertInto('auth_sessions')
        .values({ id: session.id, user_id: session.userId, amr: JSON.stringify(session.amr) })
        .execute()
    },

    /**
     * The session a refresh token belongs to, locked until the transaction ends. After a wait for the
     * lock `active` is the session's newest, while `replaced_at` may still be the older null.
     */
    lockSessionOfToken(hash: Buffer) {
      return db
        .selectFrom('auth_refresh_tokens as token')
        .innerJoin('auth_sessions as session', 'session.id', 'token.session_id')
        .select([
          'session.id',
          'session.aal',
          'session.amr',
          'session.refresh_counter as active',
          'token.counter',
          'token.replaced_at',
        ])
        .where('token.token_hash', '=', hash)
        .forUpdate('session')
        .executeTakeFirst()
    },

    async insertRefreshToken(token: { hash: Buffer; sessionId: string; counter: number }) {
      await db
        .insertInto('auth_refresh_tokens')
        .values({ token_hash: token.hash, session_id: token.sessionId, counter: token.counter })
        .execute()
    },

    async replaceRefreshToken(token: { hash: Buffer; sessionId: string; counter: number }) {
      await db
        .updateTable('auth_refresh_tokens')
        .set({ replaced_at: sql<string>`now()` })
        .where('session_id', '=', token.sessionId)
        .where('replaced_at', 'is', null)
        .execute()
      await this.insertRefreshToken(token)
      await db
        .updateTable('auth_sessions')
        .set({ refresh_counter: token.counter, refreshed_at: sql<string>`now()` })
        .where('id', '=', token.sessionId)
        .execute()
    },

    async deleteSessions(which: { userId: string; only?: string; except?: string }) {
      let query = db.deleteFrom('auth_sessions').where('user_id', '=', which.userId)
      if (which.only) query = query.where('id', '=', which.only)
      if (which.except) query = query.where('id', '!=', which.except)
      const gone = await query.returning('id').execute()
      return gone.map((row) => row.id)
    },

    async endSession(sessionId: string): Promise<void> {
      await db.deleteFrom('auth_sessions').where('id', '=', sessionId).execute()
    },
  }
}
