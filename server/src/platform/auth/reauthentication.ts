import { isTooLong } from '@bancone/contract/passwords'
import {
  type AuthContext,
  type AuthenticatedSession,
  type Caller,
  unixSeconds,
} from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { OneTimeTokens } from './one-time-tokens.service.ts'
import { verifyPassword } from './passwords.ts'
import { addAmrMethod } from './session-tokens.ts'
import type { AuthUser } from './users.store.ts'

/** Hours after an authentication during which no further proof is required. */
const RECENT_HOURS = 24

/** What a signed-in user proves their identity with. */
export type ReauthenticationProof = {
  currentPassword?: string | undefined
  /** The code sent by mail. */
  nonce?: string | undefined
}

export type Reauthentication = ReturnType<typeof createReauthentication>

type Dependencies = AuthContext & { tokens: OneTimeTokens }

/** Reauthentication. Access to an open session must not suffice to take the account over. */
export function createReauthentication(dependencies: Dependencies) {
  const { store, limits, audit, clock, tokens } = dependencies

  async function checkPassword(user: AuthUser, password: string, caller: Caller): Promise<void> {
    const guess = { limit: 'password-check', subject: user.id } as const
    await limits.take(guess).catch(tooManyRequests)
    const given = isTooLong(password) ? '' : password
    if (await verifyPassword(user.password_hash, given)) return limits.refund(guess)
    await audit.record({
      action: 'current_password_failed',
      outcome: 'refused',
      userId: user.id,
      ...caller,
    })
    throw new AuthError('current_password_invalid')
  }

  async function checkNonce({ id, email }: AuthUser, nonce: string, caller: Caller): Promise<void> {
    if (email !== null && (await tokens.consumeCode({ id, email }, nonce))) return
    await audit.record({
      action: 'reauthentication_failed',
      outcome: 'refused',
      userId: id,
      ...caller,
    })
    throw new AuthError('reauthentication_not_valid')
  }

  async function note(sessionId: string, method: 'password' | 'otp'): Promise<void> {
    await store.transaction(async ({ sessions }) => {
      const session = await sessions.lock(sessionId)
      if (!session) throw new AuthError('session_not_found')
      const amr = addAmrMethod(session.amr, { method, timestamp: unixSeconds(clock.now()) })
      await sessions.updateAmr(sessionId, amr)
    })
  }

  return {
    /** Verifies the proof and records it as an authentication now. @returns false when no proof was given */
    async verify(
      { user, sessionId }: AuthenticatedSession,
      proof: ReauthenticationProof,
      caller: Caller,
    ): Promise<boolean> {
      const { currentPassword, nonce } = proof
      if (currentPassword !== undefined) {
        await checkPassword(user, currentPassword, caller)
        await note(sessionId, 'password')
        return true
      }
      if (!nonce) return false
      await checkNonce(user, nonce, caller)
      await note(sessionId, 'otp')
      return true
    },

    /** @throws AuthError `reauthentication_needed` when the last authentication in this session is too old */
    async requireRecent(
      { sessionId }: Pick<AuthenticatedSession, 'sessionId'>,
      what: string,
    ): Promise<void> {
      const authenticatedAt = (await store.sessions.lastAuthenticatedAt(sessionId)) ?? 0
      if (unixSeconds(clock.now()) - authenticatedAt < RECENT_HOURS * 3600) return
      const message = `${what} requires reauthentication`
      throw new AuthError('reauthentication_needed', { message })
    },

    /**
     * For users who replace a forgotten password: the session was opened by a mailed link or code within the hour.
     *
     * @throws AuthError `current_password_required` otherwise
     */
    async requireMailProof({ sessionId }: Pick<AuthenticatedSession, 'sessionId'>): Promise<void> {
      const provenAt = (await store.sessions.lastAuthenticatedAt(sessionId, 'otp')) ?? 0
      if (unixSeconds(clock.now()) - provenAt < 3600) return
      throw new AuthError('current_password_required')
    },
  }
}
