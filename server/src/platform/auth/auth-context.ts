import type { Clock } from '../../ports/clock.ts'
import type { Audit } from '../audit.ts'
import type { AuthStore } from './auth.store.ts'
import type { AuthLimits } from './auth-limits.ts'
import type { AuthUser } from './users.store.ts'

/** Where a request came from: an IPv4 address, or the network of 64 bits of an IPv6 address. */
export type Caller = { address: string }

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

/** The time in seconds, as tokens tell it. */
export function seconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
