import { MAX_DIGIT_ATTEMPTS } from '@bancone/contract/priority-customer'
import type { Limit, RateLimits } from '../../platform/rate-limits.ts'

const HOUR_SECONDS = 60 * 60

/**
 * How often the last digits of a telephone number may be wrong, for each session. A stranger who tries them keeps its
 * customer out for an hour: long enough that tries are few, short enough that the customer can come on the same day.
 * All hours together have 15 of the 10,000 combinations, until the staff issue a link again.
 */
export const digitLimits = {
  'priority-digits': { points: MAX_DIGIT_ATTEMPTS, seconds: HOUR_SECONDS },
  // As long as the longest link.
  'priority-all-digits': { points: 3 * MAX_DIGIT_ATTEMPTS, seconds: 30 * 24 * HOUR_SECONDS },
} as const satisfies Record<string, Limit>

type DigitLimits = Pick<RateLimits<keyof typeof digitLimits>, 'take' | 'refund' | 'reset'>

const keysOf = (subject: string) =>
  [
    { limit: 'priority-digits', subject },
    { limit: 'priority-all-digits', subject },
  ] as const

/** Takes one of the tries of a session. @throws TooManyRequests */
export async function takeTry(limits: DigitLimits, prioritySessionId: string): Promise<void> {
  // One after the other: tries within the closed hour do not use up those of later hours.
  for (const key of keysOf(prioritySessionId)) await limits.take(key)
}

/** Gives a try back, whose digits were right. */
export const returnTry = (limits: DigitLimits, prioritySessionId: string): Promise<void> =>
  limits.refund(...keysOf(prioritySessionId))

/** Gives all tries back: a link was issued for the session. */
export const resetTries = (limits: DigitLimits, prioritySessionId: string): Promise<void> =>
  limits.reset(...keysOf(prioritySessionId))
