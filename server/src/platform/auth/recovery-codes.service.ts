import { RECOVERY_CODES } from '@bancone/contract/account'
import { type AuthContext, type Caller, isEnrolled, needFactor } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { AskMail } from './auth-mail.ts'
import { callingUser } from './calling-user.ts'
import { createGuessing, guesserOf } from './guessing.ts'
import type { RecoveryCodeCount } from './recovery-codes.store.ts'
import { newRecoveryCode, readRecoveryCode, recoveryCodeHash } from './recovery-codes.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions, SignedIn } from './sessions.service.ts'

export type RecoveryCodes = ReturnType<typeof createRecoveryCodes>

type Dependencies = AuthContext & {
  /** What the codes are kept with. */
  codeKey: Buffer
  sessions: AuthSessions
  askMail: AskMail
}

/** For who has lost the telephone: each lets in once. */
export function createRecoveryCodes(dependencies: Dependencies) {
  const { store, limits, audit, clock, codeKey, sessions, askMail } = dependencies
  const guessing = createGuessing(limits, ['recovery-code', 'recovery-code-day'])
  const now = () => new Date(clock.now()).toISOString()
  const hash = (userId: string, letters: string) => recoveryCodeHash(codeKey, userId, letters)

  function use(session: SignedIn, letters: string, caller: Caller) {
    return store.transaction(async (tables, tx) => {
      const { user } = await callingUser(tables, session, clock)
      if (!isEnrolled(user)) return null
      const isOne = await tables.recoveryCodes.use(user.id, hash(user.id, letters), now())
      if (!isOne) return null
      await audit.record({ action: 'recovery_code_used', userId: user.id, ...caller }, tx)
      await askMail({ kind: 'recovery_code_used', to: { userId: user.id } }, tx)
      const shown = { method: 'mfa/recovery_code', factorId: null } as const
      return sessions.lift(tables, { user, sessionId: session.sessionId }, shown, caller)
    })
  }

  return {
    count: ({ user }: SignedIn): Promise<RecoveryCodeCount> => store.recoveryCodes.count(user.id),

    /** New ones in place of all there were. Nobody sees them again. */
    async regenerate(session: SignedIn, caller: Caller): Promise<{ codes: string[] }> {
      const change = { limit: 'account-change', of: session.user.id } as const
      await limits.take(change).catch(tooManyRequests)
      const codes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
      await store.transaction(async (tables, tx) => {
        const { user, aal } = await callingUser(tables, session, clock)
        if (!isEnrolled(user)) throw new AuthError('mfa_factor_not_found')
        needFactor({ user, aal })
        const hashes = codes.map((code) => hash(user.id, readRecoveryCode(code) ?? ''))
        await tables.recoveryCodes.replace(user.id, hashes, now())
        await audit.record({ action: 'recovery_codes_made', userId: user.id, ...caller }, tx)
      })
      return { codes }
    },

    /** The session again, of the higher level. */
    async verify(session: SignedIn, code: string, caller: Caller): Promise<AuthSession> {
      const { user } = session
      const letters = readRecoveryCode(code)
      const look = async () => (letters === null ? null : use(session, letters, caller))
      const lifted = await guessing(await guesserOf(dependencies, user.id, caller), look)
      if (!lifted) {
        await audit.record({ action: 'factor_failed', userId: user.id, ...caller })
        throw new AuthError('mfa_recovery_code_invalid')
      }
      for (const id of lifted.ended) dependencies.onSessionEnded(id)
      return sessions.tokensOf(lifted)
    },
  }
}
