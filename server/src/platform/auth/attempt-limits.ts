import type { AuditAction } from '@bancone/contract/audit-actions'
import type { AuthContext, Caller } from './auth-context.ts'
import { AuthError, type AuthErrorCode } from './auth-error.ts'
import { type AuthLimitName, type AuthLimits, tooManyRequests } from './auth-limits.ts'
import type { AuthSession } from './session-tokens.ts'
import type { AuthSessions } from './sessions.service.ts'

/**
 * The subject under which attempts at a second factor are counted. A known address is counted apart from the
 * others: an attacker who knows the password can exhaust the attempts of unknown addresses, but cannot lock the
 * owner out.
 */
export async function attemptKeyOf(
  context: Pick<AuthContext, 'audit' | 'clock'>,
  userId: string,
  caller: Caller,
): Promise<string> {
  const isKnown = await isKnownAddress(context, userId, caller, ['factor_added', 'factor_passed'])
  return isKnown ? `${userId} ${caller.address}` : userId
}

/**
 * Counts an attempt before it is made, so that parallel attempts cannot exceed the limit. A successful attempt
 * is refunded, as is one that failed with an error.
 *
 * @param windows the shorter one first: an attempt that it refuses is not counted in the longer one
 */
export function createAttemptLimiter(
  limits: AuthLimits,
  [short, long]: readonly [AuthLimitName, AuthLimitName],
) {
  /**
   * @param attempt resolves to null for a wrong code @throws AuthError `over_request_rate_limit`, and what
   *   `attempt` throws
   */
  return async <T>(subject: string, attempt: () => Promise<T | null>): Promise<T | null> => {
    const counted = [
      { limit: short, subject },
      { limit: long, subject },
    ] as const
    for (const count of counted) await limits.take(count).catch(tooManyRequests)
    const found = await attempt().catch(async (error: unknown) => {
      await limits.refund(...counted)
      throw error
    })
    if (found !== null) await limits.refund(...counted)
    return found
  }
}

/** Days for which an address counts as known. */
const KNOWN_DAYS = 90

/** Queried for an unknown user too, so that it takes the same time. */
export const UNKNOWN_USER_ID = '00000000-0000-0000-0000-000000000000'

/** Whether the user has done one of these actions from that address lately. */
export async function isKnownAddress(
  { audit, clock }: Pick<AuthContext, 'audit' | 'clock'>,
  userId: string,
  { address }: Caller,
  actions: readonly AuditAction[],
): Promise<boolean> {
  const since = new Date(clock.now() - KNOWN_DAYS * 86_400_000).toISOString()
  const found = await Promise.all(
    actions.map((action) => audit.exists({ action, userId, address }, since)),
  )
  return found.includes(true)
}

type Attempted = {
  userId: string
  /** Null for a wrong code. */
  elevated: Awaited<ReturnType<AuthSessions['elevate']>> | null
  /** The error of a wrong code. */
  code: AuthErrorCode
}

/** What follows an attempt: new tokens of the elevated session. @throws AuthError with `code` */
export async function endAttempt(
  { audit, sessions, onSessionEnded }: AuthContext & { sessions: AuthSessions },
  { userId, elevated, code }: Attempted,
  caller: Caller,
): Promise<AuthSession> {
  if (!elevated) {
    await audit.record({ action: 'factor_failed', outcome: 'refused', userId, ...caller })
    throw new AuthError(code)
  }
  for (const id of elevated.ended) onSessionEnded(id)
  return sessions.tokensOf(elevated)
}
