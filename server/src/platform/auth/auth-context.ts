import type { Clock } from '../../ports/clock.ts'
import type { Audit } from '../audit.ts'
import type { AuthStore } from './auth.store.ts'
import { AuthError } from './auth-error.ts'
import type { AuthLimits } from './auth-limits.ts'
import type { AssuranceLevel, AuthUser } from './users.store.ts'

/** Where a request came from: an IPv4 address, or the network of 64 bits of an IPv6 address; and its browser. */
export type Caller = { address: string; agent: string | null }

/** What every part of the service works with. */
export type AuthContext = {
  store: AuthStore
  limits: AuthLimits
  audit: Audit
  clock: Clock
  /** Told of every session that ended here, so that what remembers it forgets it. */
  onSessionEnded(sessionId: string): void
}

export function isBanned(user: AuthUser, now: number): boolean {
  return user.banned_until !== null && Date.parse(user.banned_until) > now
}

/** Whether they have a second factor, without which they are not who they say. */
export function isEnrolled(user: Pick<AuthUser, 'factors'>): boolean {
  return user.factors.some(({ status }) => status === 'verified')
}

/** What a token of one level may do in a session of another: no more than either. */
export function lowerLevel(one: AssuranceLevel, other: AssuranceLevel): AssuranceLevel {
  return one === 'aal2' ? other : one
}

/** @throws AuthError `insufficient_aal` if they have a second factor and did not show it in this session */
export function needFactor(
  { user, aal }: { user: Pick<AuthUser, 'factors'>; aal: AssuranceLevel },
  status?: number,
): void {
  if (aal === 'aal2' || !isEnrolled(user)) return
  throw new AuthError('insufficient_aal', status === undefined ? {} : { status })
}

/** The time in seconds, as tokens tell it. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
