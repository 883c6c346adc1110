import { type Insertable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { AuthRefreshTokens, AuthSessions } from '../../database/schema.gen.ts'
import type { AssuranceLevel } from './users.store.ts'

export type AuthMethod = { method: string; timestamp: number }

type RefreshToken = Pick<Insertable<AuthRefreshTokens>, 'token_hash' | 'session_id' | 'counter'>

/** The authentication methods without second factors. */
const withoutFactors = sql<string>`coalesce((
  select jsonb_agg(entry order by place) from jsonb_array_elements(amr) with ordinality as e (entry, place)
  where not (entry ->> 'method' = 'totp' or entry ->> 'method' like 'mfa/%')
), '[]')`

/** The only writer of `auth_sessions` and `auth_refresh_tokens`. */
export function createSessionsStore(db: Database) {
  const store = {
    async insert(session: Insertable<AuthSessions>): Promise<void> {
      await db.insertInto('auth_sessions').values(session).execute()
    },

    /**
     * The time of the last authentication, in seconds since 1970; undefined when there is none or the session has ended.
     *
     * @param method of the authentication; any by default
     */
    async lastAuthenticatedAt(sessionId: string, method?: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('auth_sessions')
        .select(
          sql<number | null>`(
            select max((entry ->> 'timestamp')::float8) from jsonb_array_elements(amr) as entry
            where ${method ?? null}::text is null or entry ->> 'method' = ${method ?? null}
          )`.as('provedAt'),
        )
        .where('id', '=', sessionId)
        .executeTakeFirst()
      return row?.provedAt ?? undefined
    },

    /** Stores the authentication methods; the level stays. */
    async updateAmr(sessionId: string, amr: AuthMethod[]): Promise<void> {
      await db
        .updateTable('auth_sessions')
        .set({ amr: JSON.stringify(amr) })
        .where('id', '=', sessionId)
        .execute()
    },

    /**
     * Locks the session of a refresh token until the transaction ends. After a wait for the lock, `active` is
     * current, while `replaced_at` may still be null. Clients wait ten seconds: a lock that takes half of that
     * is reported as an outage of the database.
     */
    async lockByRefreshToken(hash: Buffer) {
      await sql`set local lock_timeout = '5s'`.execute(db)
      return db
        .selectFrom('auth_refresh_tokens as token')
        .innerJoin('auth_sessions as session', 'session.id', 'token.session_id')
        .select([
          'session.id',
          'session.user_id',
          'session.aal',
          'session.amr',
          'session.created_at',
          'session.refreshed_at',
          'session.refresh_counter as active',
          'session.lifted_counter as elevated',
          'token.counter',
          'token.replaced_at',
        ])
        .where('token.token_hash', '=', hash)
        .forUpdate('session')
        .executeTakeFirst()
    },

    async insertToken(token: RefreshToken): Promise<void> {
      await db.insertInto('auth_refresh_tokens').values(token).execute()
    },

    /** @param caller the current client, since networks and browsers change @param at ISO 8601 */
    async replaceToken(
      token: RefreshToken,
      caller: Pick<Insertable<AuthSessions>, 'agent' | 'address'>,
      at: string,
    ) {
      await db
        .updateTable('auth_refresh_tokens')
        .set({ replaced_at: at })
        .where('session_id', '=', token.session_id)
        .where('replaced_at', 'is', null)
        .execute()
      await store.insertToken(token)
      await db
        .updateTable('auth_sessions')
        .set({ refresh_counter: token.counter, refreshed_at: at, ...caller })
        .where('id', '=', token.session_id)
        .execute()
    },

    /** Locks the session until the transaction ends. Undefined when it has ended. */
    lock(sessionId: string) {
      return db
        .selectFrom('auth_sessions')
        .select(['id', 'user_id', 'aal', 'amr', 'refresh_counter as active'])
        .where('id', '=', sessionId)
        .forUpdate()
        .executeTakeFirst()
    },

    /** @param elevation `factorId`: null for a recovery code; `counter`: of the first refresh token after it */
    async elevate(
      sessionId: string,
      elevation: { amr: AuthMethod[]; factorId: string | null; counter: number },
    ): Promise<void> {
      await db
        .updateTable('auth_sessions')
        .set({
          aal: 'aal2',
          amr: JSON.stringify(elevation.amr),
          factor_id: elevation.factorId,
          lifted_counter: elevation.counter,
        })
        .where('id', '=', sessionId)
        .execute()
    },

    /** Sets sessions back to aal1: those elevated by a factor, or all without `factorId`. */
    async downgrade(which: { userId: string; factorId?: string }): Promise<void> {
      let query = db
        .updateTable('auth_sessions')
        .set({ aal: 'aal1', factor_id: null, amr: withoutFactors })
        .where('user_id', '=', which.userId)
        .where('aal', '=', 'aal2')
      if (which.factorId) query = query.where('factor_id', '=', which.factorId)
      await query.execute()
    },

    /** @returns the ids of the ended sessions */
    async end(which: {
      userId: string
      only?: string
      except?: string
      aal?: AssuranceLevel
      /** The authentication method that opened them, as in `amr`. */
      method?: string
    }): Promise<string[]> {
      let query = db.deleteFrom('auth_sessions').where('user_id', '=', which.userId)
      if (which.only) query = query.where('id', '=', which.only)
      if (which.except) query = query.where('id', '!=', which.except)
      if (which.aal) query = query.where('aal', '=', which.aal)
      if (which.method) {
        const begun = JSON.stringify([{ method: which.method }])
        query = query.where(sql<boolean>`amr @> ${begun}::jsonb`)
      }
      const gone = await query.returning('id').execute()
      return gone.map((row) => row.id)
    },

    /** Ends sessions that were last refreshed, or that began, before these times (ISO 8601). @returns how many */
    async endExpired(refreshedBefore: string, startedBefore: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_sessions')
        .where((eb) =>
          eb.or([eb('refreshed_at', '<', refreshedBefore), eb('created_at', '<', startedBefore)]),
        )
        .executeTakeFirst()
      return Number(numDeletedRows)
    },

    /** Deletes tokens that were replaced long ago. From then on they are treated as unknown. */
    async deleteReplacedTokens(before: string): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_refresh_tokens')
        .where('replaced_at', '<', before)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
  return store
}
