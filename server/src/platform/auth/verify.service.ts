import { randomUUID } from 'node:crypto'
import { isEmailTaken } from './auth-constraints.ts'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { changeEmail } from './email-change.ts'
import type { OneTimeTokens, Presented } from './one-time-tokens.service.ts'
import type { StoredToken } from './one-time-tokens.store.ts'
import { kindsOfType, linkHash, typeOfKind, type VerifyType } from './one-time-tokens.ts'
import { sameChallenge } from './pkce.ts'
import type { AuthSession, AuthSessions } from './sessions.service.ts'
import type { AuthUser } from './users.store.ts'

/** Seconds a code lives that a client may exchange for a session. */
const FLOW_SECONDS = 300

/** Wrong verifiers after which the code is worthless. */
const MOST_FLOW_FAILURES = 3

/** The one answer that is no session: the other address must agree too. */
export const otherAddressToo = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
} as const

/** What using a link leads to. */
export type Verified =
  | { session: AuthSession; type: VerifyType }
  | { authCode: string }
  | typeof otherAddressToo

export type Verifying = ReturnType<typeof createVerifying>

type Dependencies = AuthContext & { tokens: OneTimeTokens; sessions: AuthSessions }

/** Uses up what was sent by mail. */
export function createVerifying(dependencies: Dependencies) {
  const { store, tokens, sessions, audit, clock } = dependencies

  /** What the token proves, done to its user, in one transaction with using it up. */
  async function use(kept: StoredToken, caller: Caller): Promise<AuthUser | null> {
    return store
      .transaction(async (tables, tx) => {
        const user = await tables.users.lock(kept.userId)
        if (!user || !(await tables.tokens.use(kept.linkHash))) throw new AuthError('otp_expired')
        if (isBanned(user, clock.now())) throw new AuthError('user_banned', { status: 403 })
        const now = new Date(clock.now()).toISOString()
        const details = { kind: kept.kind }
        await audit.record({ action: 'link_used', userId: user.id, ...caller, details }, tx)
        if (kept.kind === 'email_change_current' || kept.kind === 'email_change_new') {
          return changeEmail(tables, user, kept.kind, now)
        }
        if (user.email_confirmed_at) return user
        // Who signed up with an address that is not theirs must not keep a way in beside its owner.
        return tables.users.update(user.id, {
          email_confirmed_at: now,
          ...(kept.kind !== 'signup' && { password_hash: null }),
        })
      })
      .catch((error: unknown) => {
        throw isEmailTaken(error) ? new AuthError('email_exists') : error
      })
  }

  return {
    /** Whether a link could be used now. Uses nothing up: whoever only looks changes nothing. */
    async look(token: string, type: VerifyType, caller: Caller): Promise<{ pkce: boolean }> {
      const kept = await tokens.find({ token }, kindsOfType[type], caller)
      return { pkce: kept.codeChallenge !== null }
    },

    /** A session for the presented token, whatever flow it was asked for in. */
    async verify(
      presented: Presented,
      type: VerifyType,
      caller: Caller,
    ): Promise<AuthSession | typeof otherAddressToo> {
      const kept = await tokens.find(presented, kindsOfType[type], caller)
      const user = await use(kept, caller)
      return user ? sessions.open(user, 'otp', caller) : otherAddressToo
    },

    /** What a browser is sent on with after the click: a session, or a code to exchange (PKCE). */
    async click(token: string, type: VerifyType, caller: Caller): Promise<Verified> {
      const kept = await tokens.find({ token }, kindsOfType[type], caller)
      const user = await use(kept, caller)
      if (!user) return otherAddressToo
      if (kept.codeChallenge === null) {
        return { session: await sessions.open(user, 'otp', caller), type: typeOfKind(kept.kind) }
      }
      const authCode = randomUUID()
      await store.tokens.putFlow(
        {
          codeHash: linkHash(authCode),
          userId: user.id,
          method: typeOfKind(kept.kind),
          codeChallenge: kept.codeChallenge,
        },
        FLOW_SECONDS,
      )
      return { authCode }
    },

    /** The code of a click, with the proof that the same client asked for the link. */
    async exchange(authCode: string, verifier: string, caller: Caller): Promise<AuthSession> {
      const hash = linkHash(authCode)
      const outcome = await store.transaction(async ({ tokens: kept, users }) => {
        const flow = await kept.lockFlow(hash)
        if (!flow) return 'flow_state_not_found'
        if (flow.expired) {
          await kept.deleteFlow(hash)
          return 'flow_state_expired'
        }
        if (!sameChallenge(flow.code_challenge, verifier)) {
          const last = flow.failures + 1 >= MOST_FLOW_FAILURES
          await (last ? kept.deleteFlow(hash) : kept.countFlowFailure(hash))
          return 'bad_code_verifier'
        }
        await kept.deleteFlow(hash)
        const user = await users.withId(flow.user_id)
        return user ? { user, method: flow.method } : 'flow_state_not_found'
      })
      if (typeof outcome === 'string') throw new AuthError(outcome)
      if (isBanned(outcome.user, clock.now())) throw new AuthError('user_banned')
      return sessions.open(outcome.user, outcome.method, caller)
    },
  }
}
