import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type AuthMethod = { method: string; timestamp: number }

type RefreshToken = { hash: Buffer; sessionId: string; counter: number }

/** The only writer of `auth_sessions` and `auth_refresh_tokens`. */
export function createSessionsStore(db: Database) {
  const store = {
    async insert(session: { id: string; userId: string; amr: AuthMethod[] }): Promise<void> {
      await db
        .insertInto('auth_sessions')
        .values({ id: session.id, user_id: session.userId, amr: JSON.stringify(session.amr) })
        .execute()
    },

    /** When it was begun, ISO 8601; undefined when it has ended. */
    async begun(sessionId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('auth_sessions')
        .select('created_at')
        .where('id', '=', sessionId)
        .executeTakeFirst()
      return row?.created_at
    },

    /**
     * The session a refresh token belongs to, locked until the transaction ends. After a wait for the
     * lock `active` is the session's newest, while `replaced_at` may still be the older null. Clients
     * wait ten seconds: a lock that takes half of them is the database's trouble.
     */
    async lockOfToken(hash: Buffer) {
      await sql`set local lock_timeout = '5s'`.execute(db)
      return db
        .selectFrom('auth_refresh_tokens as token')
        .innerJoin('auth_sessions as session', 'session.id', 'token.session_id')
        .select([
          'session.id',
          'session.user_id',
          'session.aal',
          'session.amr',
          'session.refreshed_at',
          'session.refresh_counter as active',
          'token.counter',
          'token.replaced_at',
        ])
        .where('token.token_hash', '=', hash)
        .forUpdate('session')
        .executeTakeFirst()
    },

    async insertToken(token: RefreshToken): Promise<void> {
      await db
        .insertInto('auth_refresh_tokens')
        .values({ token_hash: token.hash, session_id: token.sessionId, counter: token.counter })
        .execute()
    },

    async replaceToken(token: RefreshToken): Promise<void> {
      await db
        .updateTable('auth_refresh_tokens')
        .set({ replaced_at: sql<string>`now()` })
        .where('session_id', '=', token.sessionId)
        .where('counter', '=', token.counter - 1)
        .execute()
      await store.insertToken(token)
      await db
        .updateTable('auth_sessions')
        .set({ refresh_counter: token.counter, refreshed_at: sql<string>`now()` })
        .where('id', '=', token.sessionId)
        .execute()
    },

    /** @returns the ids of those that ended */
    async end(which: { userId: string; only?: string; except?: string }): Promise<string[]> {
      let query = db.deleteFrom('auth_sessions').where('user_id', '=', which.userId)
      if (which.only) query = query.where('id', '=', which.only)
      if (which.except) query = query.where('id', '!=', which.except)
      const gone = await query.returning('id').execute()
      return gone.map((row) => row.id)
    },

    /** Ends those that were not used since. @param before ISO 8601 @returns how many */
    async endIdle(before: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_sessions')
        .where('refreshed_at', '<', before)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    /** Forgets tokens replaced long ago: whoever has one is then refused as with an unknown one. */
    async forgetTokens(before: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_refresh_tokens')
        .where('replaced_at', '<', before)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
  return store
}
