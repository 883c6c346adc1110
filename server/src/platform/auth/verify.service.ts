import { randomUUID } from 'node:crypto'
import type { Transaction } from './auth.store.ts'
import { isEmailTaken } from './auth-constraints.ts'
import { type AuthContext, type Caller, isBanned } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { changeEmail } from './email-change.ts'
import type { OneTimeTokens, Presented } from './one-time-tokens.service.ts'
import type { StoredToken } from './one-time-tokens.store.ts'
import { kindsOfType, linkHash, typeOfKind, type VerifyType } from './one-time-tokens.ts'
import { sameChallenge } from './pkce.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'
import type { AuthUser } from './users.store.ts'

/** Seconds a code lives that a client may exchange for a session. */
export const FLOW_SECONDS = 300

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

  /** What the token proves, done to its user. @returns null while another address must agree too */
  async function prove(
    [tables, tx]: Transaction,
    kept: StoredToken,
    caller: Caller,
  ): Promise<AuthUser | null> {
    const user = await tables.users.lock(kept.userId)
    if (!user || !(await tables.tokens.use(kept.linkHash))) throw new AuthError('otp_expired')
    if (isBanned(user, clock.now())) throw new AuthError('user_banned', { status: 403 })
    // One asked for in the other flow was for the same thing.
    await tables.tokens.forgetOfUser(user.id, [kept.kind])
    const now = new Date(clock.now()).toISOString()
    const details = { kind: kept.kind }
    await audit.record({ action: 'link_used', userId: user.id, ...caller, details }, tx)
    if (kept.kind === 'email_change_current' || kept.kind === 'email_change_new') {
      const changed = await changeEmail(tables, user, kept.kind, now)
      if (changed) await audit.record({ action: 'email_changed', userId: user.id, ...caller }, tx)
      return changed
    }
    if (user.email_confirmed_at) return user
    // Who signed up with an address that is not theirs must not keep a way in beside its owner.
    return tables.users.update(user.id, {
      email_confirmed_at: now,
      ...(kept.kind !== 'signup' && { password_hash: null }),
    })
  }

  /** Uses the token up and does what follows in one transaction: who fails may come again. */
  function use<T>(
    kept: StoredToken,
    caller: Caller,
    then: (transaction: Transaction, user: AuthUser) => Promise<T>,
  ): Promise<T | null> {
    return store
      .transaction(async (...transaction) => {
        const user = await prove(transaction, kept, caller)
        return user && then(transaction, user)
      })
      .catch((error: unknown) => {
        throw isEmailTaken(error) ? new AuthError('email_exists') : error
      })
  }

  /** As the last part of `use`. */
  const begin = (caller: Caller) => (transaction: Transaction, user: AuthUser) =>
    sessions.begin(transaction, user, 'otp', caller)

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
      const begun = await use(kept, caller, begin(caller))
      return begun ? sessions.tokensOf(begun) : otherAddressToo
    },

    /** What a browser is sent on with after the click: a session, or a code to exchange (PKCE). */
    async click(token: string, type: VerifyType, caller: Caller): Promise<Verified> {
      const kept = await tokens.find({ token }, kindsOfType[type], caller)
      const { codeChallenge } = kept
      const kind = typeOfKind(kept.kind)
      if (codeChallenge === null) {
        const begun = await use(kept, caller, begin(caller))
        return begun ? { session: await sessions.tokensOf(begun), type: kind } : otherAddressToo
      }
      const authCode = randomUUID()
      const flow = { codeHash: linkHash(authCode), method: kind, codeChallenge, sessionId: null }
      const done = await use(kept, caller, async ([tables], user) => {
        await tables.tokens.putFlow({ ...flow, userId: user.id }, FLOW_SECONDS)
        return true
      })
      return done ? { authCode } : otherAddressToo
    },

    /** The code of a click, or of another service, with the proof that the same client asked for the link. */
    async exchange(authCode: string, verifier: string, caller: Caller): Promise<AuthSession> {
      const hash = linkHash(authCode)
      const outcome = await store.transaction(async (...transaction) => {
        const [{ tokens: kept, users }] = transaction
        // The user first, as everywhere: who takes codes away has locked them too.
        const owner = await kept.ownerOfFlow(hash)
        const user = owner && (await users.lock(owner))
        const flow = user && (await kept.lockFlow(hash))
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
        // Whoever linked another way in is in already.
        if (flow.session_id) return sessions.renew(transaction, flow.session_id, caller)
        return sessions.begin(transaction, user, flow.method, caller)
      })
      if (typeof outcome === 'string') throw new AuthError(outcome)
      return sessions.tokensOf(outcome)
    },
  }
}
