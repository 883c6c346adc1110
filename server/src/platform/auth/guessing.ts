import type { AuthContext, Caller } from './auth-context.ts'
import { type AuthLimitName, type AuthLimits, tooManyRequests } from './auth-limits.ts'

/** Days for which an address that a second factor was shown from is known to be its owner's. */
const KNOWN_DAYS = 90

/**
 * Whose guesses of a second factor they are. Where its owner has shown it before, guesses count by themselves:
 * whoever knows the password can use up what there is elsewhere, and does not keep the owner out.
 */
export async function guesserOf(
  { audit, clock }: Pick<AuthContext, 'audit' | 'clock'>,
  userId: string,
  { address }: Caller,
): Promise<string> {
  const since = new Date(clock.now() - KNOWN_DAYS * 86_400_000).toISOString()
  const isKnown = await Promise.all(
    ['factor_added', 'factor_passed'].map((action) =>
      audit.knows({ action, userId, address }, since),
    ),
  )
  return isKnown.includes(true) ? `${userId} ${address}` : userId
}

/**
 * Counts what somebody guesses before it is looked at, so that many at once are not more. A right one is
 * given back, and what failed before it was looked at.
 *
 * @param windows the short one first: who is refused by it does not use the long one up
 */
export function createGuessing(
  limits: AuthLimits,
  [short, long]: readonly [AuthLimitName, AuthLimitName],
) {
  /** @param look null for a wrong one @throws AuthError `over_request_rate_limit`, and what `look` throws */
  return async <T>(of: string, look: () => Promise<T | null>): Promise<T | null> => {
    const counted = [
      { limit: short, of },
      { limit: long, of },
    ] as const
    for (const count of counted) await limits.take(count).catch(tooManyRequests)
    const found = await look().catch(async (error: unknown) => {
      await limits.giveBack(...counted)
      throw error
    })
    if (found !== null) await limits.giveBack(...counted)
    return found
  }
}
