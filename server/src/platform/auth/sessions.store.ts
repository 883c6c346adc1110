import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { AssuranceLevel } from './users.store.ts'

export type AuthMethod = { method: string; timestamp: number }

type RefreshToken = { hash: Buffer; sessionId: string; counter: number }

type NewSession = {
  id: string
  userId: string
  amr: AuthMethod[]
  agent: string | null
  address: string
}

/** How somebody signed in, less what they showed beside it. */
const withoutFactors = sql<string>`coalesce((
  select jsonb_agg(entry order by place) from jsonb_array_elements(amr) with ordinality as e (entry, place)
  where not (entry ->> 'method' = 'totp' or entry ->> 'method' like 'mfa/%')
), '[]')`

/** The only writer of `auth_sessions` and `auth_refresh_tokens`. */
export function createSessionsStore(db: Database) {
  const store = {
    async insert(session: NewSession): Promise<void> {
      await db
        .insertInto('auth_sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          amr: JSON.stringify(session.amr),
          agent: session.agent,
          address: session.address,
        })
        .execute()
    },

    /** When whoever has it last proved who they are, in seconds; undefined when it has ended. */
    async provedAt(sessionId: string): Promise<number | undefined> {
      const row = await db
        .selectFrom('auth_sessions')
        .select(
          sql<number | null>`(
            select max((entry ->> 'timestamp')::float8) from jsonb_array_elements(amr) as entry
          )`.as('provedAt'),
        )
        .where('id', '=', sessionId)
        .executeTakeFirst()
      return row?.provedAt ?? undefined
    },

    /** They have shown that it is still them, which gives no higher level. */
    async proveAgain(sessionId: string, amr: AuthMethod[]): Promise<void> {
      await db
        .updateTable('auth_sessions')
        .set({ amr: JSON.stringify(amr) })
        .where('id', '=', sessionId)
        .execute()
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
          'session.lifted_counter as lifted',
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

    /** @param caller who has it now: people move, and browsers are renewed @param at ISO 8601 */
    async replaceToken(
      token: RefreshToken,
      caller: Pick<NewSession, 'agent' | 'address'>,
      at: string,
    ) {
      await db
        .updateTable('auth_refresh_tokens')
        .set({ replaced_at: at })
        .where('session_id', '=', token.sessionId)
        .where('replaced_at', 'is', null)
        .execute()
      await store.insertToken(token)
      await db
        .updateTable('auth_sessions')
        .set({ refresh_counter: token.counter, refreshed_at: at, ...caller })
        .where('id', '=', token.sessionId)
        .execute()
    },

    /** Until the transaction ends nobody refreshes it. Undefined when it has ended. */
    lock(sessionId: string) {
      return db
        .selectFrom('auth_sessions')
        .select(['id', 'user_id', 'aal', 'amr', 'refresh_counter as active'])
        .where('id', '=', sessionId)
        .forUpdate()
        .executeTakeFirst()
    },

    /** @param lift `factorId` is null for a recovery code; `counter` of the first token that knows of it */
    async lift(
      sessionId: string,
      lift: { amr: AuthMethod[]; factorId: string | null; counter: number },
    ): Promise<void> {
      await db
        .updateTable('auth_sessions')
        .set({
          aal: 'aal2',
          amr: JSON.stringify(lift.amr),
          factor_id: lift.factorId,
          lifted_counter: lift.counter,
        })
        .where('id', '=', sessionId)
        .execute()
    },

    /** Takes back what a factor gave; without `factorId` what anything gave. */
    async lower(which: { userId: string; factorId?: string }): Promise<void> {
      let query = db
        .updateTable('auth_sessions')
        .set({ aal: 'aal1', factor_id: null, amr: withoutFactors })
        .where('user_id', '=', which.userId)
        .where('aal', '=', 'aal2')
      if (which.factorId) query = query.where('factor_id', '=', which.factorId)
      await query.execute()
    },

    /** @returns the ids of those that ended */
    async end(which: {
      userId: string
      only?: string
      except?: string
      aal?: AssuranceLevel
      /** How they were begun, as `amr` names it. */
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
