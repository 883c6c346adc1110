import { type Insertable, sql } from 'kysely'
import type { Database } from '../../database/database.ts'
import { violatesConstraint } from '../../database/errors.ts'
import type { AuthExternalFlows } from '../../database/schema.gen.ts'
import { AuthError } from './auth-error.ts'

/**
 * `browser_hash`: of the secret in the browser's cookie. `sealed`: nonce and code verifier for the provider's response,
 * encrypted. `link_user_id`, `link_session_id`: the user to link the identity to, and the session that asked; null for a
 * sign-in.
 */
type NewExternalFlow = Omit<Insertable<AuthExternalFlows>, 'expires_at'>

export type ExternalFlow = NonNullable<
  Awaited<ReturnType<ReturnType<typeof createExternalFlowsStore>['take']>>
>

/** The only writer of `auth_external_flows`. */
export function createExternalFlowsStore(db: Database) {
  return {
    /** @throws AuthError `session_not_found` when the session that asked for the link has ended */
    async insert(flow: NewExternalFlow, seconds: number): Promise<void> {
      await db
        .insertInto('auth_external_flows')
        .values({
          ...flow,
          expires_at: sql<string>`now() + make_interval(secs => ${seconds})`,
        })
        .execute()
        .catch((error: unknown) => {
          const isGone = ['link_session_id', 'link_user_id'].some((column) =>
            violatesConstraint(error, `auth_external_flows_${column}_fkey`),
          )
          throw isGone ? new AuthError('session_not_found') : error
        })
    },

    /** Returns and deletes the flow of that state and browser. Of two concurrent calls one gets it. */
    async take(stateHash: Buffer, browserHash: Buffer) {
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

    /** @returns how many expired flows were deleted */
    async deleteExpired(): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('auth_external_flows')
        .where('expires_at', '<', sql<string>`now()`)
        .executeTakeFirst()
      return Number(numDeletedRows)
    },
  }
}
