import { sql } from 'kysely'
import type { Database } from '../../database/database.ts'

export type NewExternalFlow = {
  stateHash: Buffer
  /** Of what a cookie of the browser holds. */
  browserHash: Buffer
  /** What the provider's answer is checked against, encrypted. */
  sealed: Buffer
  provider: string
  redirectTo: string
  codeChallenge: string | null
  /** Whose account it is to be linked to, and the session they asked in; null for a sign-in. */
  link: { userId: string; sessionId: string } | null
}

export type ExternalFlow = Pick<
  NewExternalFlow,
  'sealed' | 'provider' | 'redirectTo' | 'codeChallenge' | 'link'
> & { isExpired: boolean }

/** The only writer of `auth_external_flows`. */
export function createExternalFlowsStore(db: Database) {
  return {
    async insert(flow: NewExternalFlow, seconds: number): Promise<void> {
      await db
        .insertInto('auth_external_flows')
        .values({
          state_hash: flow.stateHash,
          browser_hash: flow.browserHash,
          sealed: flow.sealed,
          provider: flow.provider,
          redirect_to: flow.redirectTo,
          code_challenge: flow.codeChallenge,
          link_user_id: flow.link?.userId ?? null,
          link_session_id: flow.link?.sessionId ?? null,
          expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
        })
        .execute()
    },

    /** The browser that left with that state is back. Of two that come at once one gets it. */
    async take(stateHash: Buffer, browserHash: Buffer): Promise<ExternalFlow | undefined> {
      const row = await db
        .deleteFrom('auth_external_flows')
        .where('state_hash', '=', stateHash)
        .where('browser_hash', '=', browserHash)
        .returning([
          'sealed',
          'provider',
          'redirect_to as redirectTo',
          'code_challenge as codeChallenge',
          'link_user_id as userId',
          'link_session_id as sessionId',
        ])
        .returning(sql<boolean>`expires_at <= now()`.as('isExpired'))
        .executeTakeFirst()
      if (!row) return undefined
      const { userId, sessionId, ...flow } = row
      return { ...flow, link: userId && sessionId ? { userId, sessionId } : null }
    },

    /** @returns how many were not finished in time */
    async forgetExpired(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_external_flows')
        .where('expires_at', '<', sql<string>`now()`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
