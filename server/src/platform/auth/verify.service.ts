import { randomUUID } from 'node:crypto'
import type { Transaction } from './auth.store.ts'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import {
  confirmEmailChange,
  type OneTimeTokens,
  type PresentedToken,
} from './one-time-tokens.service.ts'
import type { StoredToken } from './one-time-tokens.store.ts'
import { kindsOfType, linkHash, typeOfKind, type VerifyType } from './one-time-tokens.ts'
import { matchesCodeChallenge } from './pkce.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import type { AuthUser } from './users.store.ts'

/** The lifetime of an auth code, in seconds. */
export const FLOW_SECONDS = 300

/** Wrong code verifiers after which an auth code becomes invalid. */
const MAX_FLOW_FAILURES = 3

/** The response when one of two addresses has confirmed a change; the other one must confirm too. */
export const singleConfirmationAccepted = {
  msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
  code: '200',
} as const

/** The outcome of a verified link. */
export type Verified =
  | { session: AuthSession; type: VerifyType }
  | { authCode: string }
  | typeof singleConfirmationAccepted

type Dependencies = AuthContext & { tokens: OneTimeTokens; sessions: AuthSessions }

/** Verification of links and codes that were sent by mail, and the exchange of auth codes. */
export function createVerification(dependencies: Dependencies) {
  const { store, tokens, sessions, audit, clock } = dependencies

  /** Consumes the token and applies its effect to the user. @returns null while another address must confirm too */
  async function prove(
    [tables, tx]: Transaction,
    kept: StoredToken,
    caller: Caller,
  ): Promise<AuthUser | null> {
    const user = await tables.users.lock(kept.userId)
    if (!user || !(await tables.tokens.consume(kept.linkHash))) throw new AuthError('otp_expired')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned', { status: 403 })
    // The user may have requested one token with PKCE and one without.
    await tables.tokens.deleteOfUser(user.id, [kept.kind])
    const now = new Date(clock.now()).toISOString()
    const details = { kind: kept.kind }
    await audit.record({ action: 'link_used', userId: user.id, ...caller, details }, tx)
    if (kept.kind === 'email_change_current' || kept.kind === 'email_change_new') {
      const changed = await confirmEmailChange(tables, user, kept.kind, now)
      if (changed) await audit.record({ action: 'email_changed', userId: user.id, ...caller }, tx)
      return changed
    }
    if (user.email_confirmed_at) return user
    // The password of an unconfirmed sign-up is dropped: another person may have chosen it.
    return tables.users.update(user.id, {
      email_confirmed_at: now,
      ...(kept.kind !== 'signup' && { password_hash: null }),
    })
  }

  /** Consumes the token and does what follows in one transaction: after a failure the token still works. */
  function use<T>(
    kept: StoredToken,
    caller: Caller,
    then: (transaction: Transaction, user: AuthUser) => Promise<T>,
  ): Promise<T | null> {
    return store.transaction(async (...transaction) => {
      const user = await prove(transaction, kept, caller)
      return user && then(transaction, user)
    })
  }

  /** The last step of `use`. */
  const begin = (caller: Caller) => (transaction: Transaction, user: AuthUser) =>
    sessions.begin(transaction, user, 'otp', caller)

  return {
    /** Whether a link is valid now. Consumes nothing. */
    async check(token: string, type: VerifyType, caller: Caller): Promise<void> {
      await tokens.find({ token }, kindsOfType[type], caller)
    },

    /** Verifies a token without a page. @param cookies as for tokens @returns a session, also with PKCE */
    async verify(
      presented: PresentedToken,
      type: VerifyType,
      caller: Caller,
      cookies?: string,
    ): Promise<AuthSession | typeof singleConfirmationAccepted> {
      const kept = await tokens.find(presented, kindsOfType[type], caller, cookies)
      const begun = await use(kept, caller, begin(caller))
      return begun ? sessions.tokensOf(begun) : singleConfirmationAccepted
    },

    /** Verifies the token of the confirmation page. @returns a session, or an auth code (PKCE) */
    async confirm(token: string, type: VerifyType, caller: Caller): Promise<Verified> {
      const kept = await tokens.find({ token }, kindsOfType[type], caller)
      const { codeChallenge } = kept
      const kind = typeOfKind(kept.kind)
      if (codeChallenge === null) {
        const begun = await use(kept, caller, begin(caller))
        return begun
          ? { session: await sessions.tokensOf(begun), type: kind }
          : singleConfirmationAccepted
      }
      const authCode = randomUUID()
      const flow = {
        code_hash: linkHash(authCode),
        method: kind,
        code_challenge: codeChallenge,
        session_id: null,
      }
      const done = await use(kept, caller, async ([tables], user) => {
        await tables.tokens.insertFlow({ ...flow, user_id: user.id }, FLOW_SECONDS)
        return true
      })
      return done ? { authCode } : singleConfirmationAccepted
    },

    /** Exchanges an auth code for a session. The code verifier proves that the same client began the flow. */
    async exchange(authCode: string, verifier: string, caller: Caller): Promise<AuthSession> {
      const hash = linkHash(authCode)
      const outcome = await store.transaction(async (...transaction) => {
        const [{ tokens: kept, users }] = transaction
        // The user is locked first, as everywhere, so that transactions cannot deadlock.
        const owner = await kept.userOfFlow(hash)
        const user = owner && (await users.lock(owner))
        const flow = user && (await kept.lockFlow(hash))
        if (!flow) return 'flow_state_not_found'
        if (flow.expired) {
          await kept.deleteFlow(hash)
          return 'flow_state_expired'
        }
        if (!matchesCodeChallenge(flow.code_challenge, verifier)) {
          const last = flow.failures + 1 >= MAX_FLOW_FAILURES
          await (last ? kept.deleteFlow(hash) : kept.countFlowFailure(hash))
          return 'bad_code_verifier'
        }
        await kept.deleteFlow(hash)
        // After linking an identity, the current session continues.
        if (flow.session_id) return sessions.renew(transaction, flow.session_id, caller)
        return sessions.begin(transaction, user, flow.method, caller)
      })
      if (typeof outcome === 'string') throw new AuthError(outcome)
      return sessions.tokensOf(outcome)
    },
  }
}
