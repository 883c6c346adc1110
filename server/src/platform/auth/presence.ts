import { isTooLong } from '@bancone/contract/passwords'
import type { AuthContext, Caller } from './auth-context.ts'
import { seconds } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { OneTimeTokens } from './one-time-tokens.service.ts'
import { verifyPassword } from './passwords.ts'
import { withMethod } from './session-tokens.ts'
import type { SignedIn } from './sessions.service.ts'
import type { AuthUser } from './users.store.ts'

/** Hours for which a session needs no new proof of who has it. */
const FRESH_HOURS = 24

/** With what somebody who is signed in proves that it is still them. */
export type Proof = {
  currentPassword?: string | undefined
  /** The code of a mail. */
  nonce?: string | undefined
}

export type Presence = ReturnType<typeof createPresence>

type Dependencies = AuthContext & { tokens: OneTimeTokens }

/** A session somebody left open must not be enough to take the account over. */
export function createPresence(dependencies: Dependencies) {
  const { store, limits, audit, clock, tokens } = dependencies

  async function checkPassword(user: AuthUser, password: string, caller: Caller): Promise<void> {
    const guess = { limit: 'password-check', of: user.id } as const
    await limits.take(guess).catch(tooManyRequests)
    const given = isTooLong(password) ? '' : password
    if (await verifyPassword(user.password_hash, given)) return limits.giveBack(guess)
    await audit.record({ action: 'current_password_failed', userId: user.id, ...caller })
    throw new AuthError('current_password_invalid')
  }

  async function checkNonce({ id, email }: AuthUser, nonce: string, caller: Caller): Promise<void> {
    if (email !== null && (await tokens.useCode({ id, email }, nonce))) return
    await audit.record({ action: 'reauthentication_failed', userId: id, ...caller })
    throw new AuthError('reauthentication_not_valid')
  }

  async function note(sessionId: string, method: 'password' | 'otp'): Promise<void> {
    await store.transaction(async ({ sessions }) => {
      const session = await sessions.lock(sessionId)
      if (!session) throw new AuthError('session_not_found')
      const amr = withMethod(session.amr, { method, timestamp: seconds(clock.now()) })
      await sessions.proveAgain(sessionId, amr)
    })
  }

  return {
    /** From now on the session is as good as new. @returns false when nothing was given */
    async prove({ user, sessionId }: SignedIn, proof: Proof, caller: Caller): Promise<boolean> {
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

    /** @throws AuthError `reauthentication_needed` when it is too long since somebody proved who they are */
    async needFresh({ sessionId }: Pick<SignedIn, 'sessionId'>, what: string): Promise<void> {
      const proved = (await store.sessions.provedAt(sessionId)) ?? 0
      if (seconds(clock.now()) - proved < FRESH_HOURS * 3600) return
      const message = `${what} requires reauthentication`
      throw new AuthError('reauthentication_needed', { message })
    },
  }
}
