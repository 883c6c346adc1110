import { createHmac, randomInt } from 'node:crypto'
import { RECOVERY_CODE_COUNT } from '@bancone/contract/account'
import { attemptKeyOf, createAttemptLimiter, endAttempt } from './attempt-limits.ts'
import {
  type AuthContext,
  type AuthenticatedSession,
  type Caller,
  isEnrolled,
  lockCallingUser,
  requireSufficientAal,
} from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { tooManyRequests } from './auth-limits.ts'
import type { EnqueueMail } from './auth-mail.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'

/** Letters and digits that are not mistaken for each other. */
const ALPHABET = '23456789abcdefghjkmnpqrstuvwxyz'

/** Two halves with a dash between them: about 50 bits. */
const HALF = 5

export function newRecoveryCode(): string {
  const letters = Array.from({ length: 2 * HALF }, () =>
    ALPHABET.charAt(randomInt(ALPHABET.length)),
  )
  return `${letters.slice(0, HALF).join('')}-${letters.slice(HALF).join('')}`
}

/** The normalized code: typed with or without dash and spaces, in any case; null when it cannot be a code. */
export function parseRecoveryCode(typed: string): string | null {
  const letters = typed.toLowerCase().replaceAll(/[\s\-–—]/g, '')
  return new RegExp(`^[${ALPHABET}]{${2 * HALF}}$`).test(letters) ? letters : null
}

/** The stored hash. It is keyed, and bound to the user. */
export function recoveryCodeHash(key: Buffer, userId: string, letters: string): Buffer {
  return createHmac('sha256', key).update(`${userId}.${letters}`).digest()
}

type Dependencies = AuthContext & {
  sessions: AuthSessions
  enqueueMail: EnqueueMail
}

/** Recovery codes, for users who have lost their authenticator app. Each works once. */
export function createRecoveryCodes(dependencies: Dependencies) {
  const { store, limits, audit, clock, sessions, enqueueMail } = dependencies
  const codeKey = dependencies.secrets.key('recovery codes')
  const limitAttempts = createAttemptLimiter(limits, ['recovery-code', 'recovery-code-day'])
  const now = () => new Date(clock.now()).toISOString()
  const hash = (userId: string, letters: string) => recoveryCodeHash(codeKey, userId, letters)

  function use(session: AuthenticatedSession, letters: string, caller: Caller) {
    return store.transaction(async (tables, tx) => {
      const { user } = await lockCallingUser(tables, session, clock)
      if (!isEnrolled(user)) return null
      const isOne = await tables.recoveryCodes.consume(user.id, hash(user.id, letters), now())
      if (!isOne) return null
      await audit.record({ action: 'recovery_code_used', userId: user.id, ...caller }, tx)
      await enqueueMail({ kind: 'recovery_code_used', to: { userId: user.id } }, tx)
      const shown = { method: 'mfa/recovery_code', factorId: null } as const
      return sessions.elevate(tables, { user, sessionId: session.sessionId }, shown, caller)
    })
  }

  return {
    count: ({ user }: AuthenticatedSession) => store.recoveryCodes.count(user.id),

    /** Replaces all codes. @returns the new codes in plain text; only their hashes are stored */
    async regenerate(session: AuthenticatedSession, caller: Caller): Promise<{ codes: string[] }> {
      const change = { limit: 'account-change', subject: session.user.id } as const
      await limits.take(change).catch(tooManyRequests)
      const codes = Array.from({ length: RECOVERY_CODE_COUNT }, newRecoveryCode)
      await store.transaction(async (tables, tx) => {
        const { user, aal } = await lockCallingUser(tables, session, clock)
        if (!isEnrolled(user)) throw new AuthError('mfa_factor_not_found')
        requireSufficientAal({ user, aal })
        const hashes = codes.map((code) => hash(user.id, parseRecoveryCode(code) ?? ''))
        await tables.recoveryCodes.replace(user.id, hashes, now())
        await audit.record({ action: 'recovery_codes_made', userId: user.id, ...caller }, tx)
      })
      return { codes }
    },

    /** Verifies a code. @returns new tokens of the session, now of level aal2 */
    async verify(
      session: AuthenticatedSession,
      code: string,
      caller: Caller,
    ): Promise<AuthSession> {
      const { user } = session
      const letters = parseRecoveryCode(code)
      const look = async () => (letters === null ? null : use(session, letters, caller))
      const elevated = await limitAttempts(await attemptKeyOf(dependencies, user.id, caller), look)
      return endAttempt(
        dependencies,
        { userId: user.id, elevated, code: 'mfa_recovery_code_invalid' },
        caller,
      )
    },
  }
}
