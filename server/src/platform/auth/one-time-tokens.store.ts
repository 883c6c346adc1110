import { type Insertable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { AuthFlowStates } from '../../database/schema.gen.ts'
import { TokenKind } from './one-time-tokens.ts'
import { normalizeEmail } from './users.store.ts'

export type StoredToken = {
  userId: string
  kind: TokenKind
  linkHash: Buffer
  codeHash: Buffer
  codeChallenge: string | null
}

const columns = [
  'token.user_id as userId',
  'token.kind',
  'token.link_hash as linkHash',
  'token.code_hash as codeHash',
  'token.code_challenge as codeChallenge',
] as const

/** The only writer of `auth_one_time_tokens` and `auth_flow_states`. */
export function createOneTimeTokensStore(db: Database) {
  const valid = (kinds: readonly TokenKind[]) =>
    db
      .selectFrom('auth_one_time_tokens as token')
      .select(columns)
      .where('token.kind', 'in', kinds)
      .where('token.expires_at', '>', sql<string>`now()`)

  return {
    /** A new token of the same kind replaces the earlier one. */
    async upsert(token: StoredToken, seconds: number): Promise<void> {
      const row = {
        link_hash: token.linkHash,
        code_hash: token.codeHash,
        code_challenge: token.codeChallenge,
        created_at: sql<string>`now()`,
        expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
      }
      await db
        .insertInto('auth_one_time_tokens')
        .values({ user_id: token.userId, kind: token.kind, ...row })
        .onConflict((conflict) => conflict.columns(['user_id', 'kind', 'pkce']).doUpdateSet(row))
        .execute()
    },

    async findByLink(
      linkHash: Buffer,
      kinds: readonly TokenKind[],
    ): Promise<StoredToken | undefined> {
      const row = await valid(kinds).where('token.link_hash', '=', linkHash).executeTakeFirst()
      return row && known(row)
    },

    /** The tokens whose code was sent to that address. */
    async findByEmail(email: string, kinds: readonly TokenKind[]): Promise<StoredToken[]> {
      const address = normalizeEmail(email)
      const rows = await valid(kinds)
        .innerJoin('auth_users as user', 'user.id', 'token.user_id')
        .where((eb) =>
          eb.or([
            eb.and([
              eb('token.kind', '!=', 'email_change_new'),
              eb(sql`lower("user".email)`, '=', address),
            ]),
            eb.and([
              eb('token.kind', '=', 'email_change_new'),
              eb(sql`lower("user".new_email)`, '=', address),
            ]),
          ]),
        )
        .execute()
      return rows.map(known)
    },

    async findByUser(userId: string, kind: TokenKind): Promise<StoredToken | undefined> {
      const row = await valid([kind]).where('token.user_id', '=', userId).executeTakeFirst()
      return row && known(row)
    },

    /** Deletes the token. @returns whether it existed: of two concurrent calls one gets true */
    async consume(linkHash: Buffer): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_one_time_tokens')
        .where('link_hash', '=', linkHash)
        .executeTakeFirst()
      return numDeletedRows === 1n
    },

    async deleteOfUser(userId: string, kinds?: readonly TokenKind[]): Promise<void> {
      let query = db.deleteFrom('auth_one_time_tokens').where('user_id', '=', userId)
      if (kinds) query = query.where('kind', 'in', kinds)
      await query.execute()
      if (!kinds) await db.deleteFrom('auth_flow_states').where('user_id', '=', userId).execute()
    },

    /** @param flow `session_id`: the session that continues; null for a new one */
    async insertFlow(
      flow: Omit<Insertable<AuthFlowStates>, 'expires_at'>,
      seconds: number,
    ): Promise<void> {
      const expires_at = sql<string>`now() + make_interval(secs => ${seconds})`
      await db
        .insertInto('auth_flow_states')
        .values({ ...flow, expires_at })
        .execute()
    },

    async userOfFlow(codeHash: Buffer): Promise<string | undefined> {
      const flow = await db
        .selectFrom('auth_flow_states')
        .select('user_id')
        .where('code_hash', '=', codeHash)
        .executeTakeFirst()
      return flow?.user_id
    },

    /** Locks the flow state until the transaction ends. */
    lockFlow(codeHash: Buffer) {
      return db
        .selectFrom('auth_flow_states')
        .select(['method', 'code_challenge', 'failures', 'session_id'])
        .select(sql<boolean>`expires_at <= now()`.as('expired'))
        .where('code_hash', '=', codeHash)
        .forUpdate()
        .executeTakeFirst()
    },

    async countFlowFailure(codeHash: Buffer): Promise<void> {
      await db
        .updateTable('auth_flow_states')
        .set((eb) => ({ failures: eb('failures', '+', 1) }))
        .where('code_hash', '=', codeHash)
        .execute()
    },

    async deleteFlow(codeHash: Buffer): Promise<void> {
      await db.deleteFrom('auth_flow_states').where('code_hash', '=', codeHash).execute()
    },

    /** Auth codes that continue that session. */
    async deleteFlowsOfSession(sessionId: string): Promise<void> {
      await db.deleteFrom('auth_flow_states').where('session_id', '=', sessionId).execute()
    },

    /** Unredeemed auth codes of that user and authentication method. */
    async deleteFlowsOfMethod(userId: string, method: string): Promise<void> {
      await db
        .deleteFrom('auth_flow_states')
        .where('user_id', '=', userId)
        .where('method', '=', method)
        .execute()
    },

    /** @returns how many expired tokens and auth codes were deleted */
    async deleteExpired(): Promise<number> {
      const now = sql<string>`now()`
      const tokens = await db
        .deleteFrom('auth_one_time_tokens')
        .where('expires_at', '<', now)
        .executeTakeFirst()
      const flows = await db
        .deleteFrom('auth_flow_states')
        .where('expires_at', '<', now)
        .executeTakeFirst()
      return Number(tokens.numDeletedRows + flows.numDeletedRows)
    },
  }
}

function known(row: Omit<StoredToken, 'kind'> & { kind: string }): StoredToken {
  return { ...row, kind: TokenKind.parse(row.kind) }
}
