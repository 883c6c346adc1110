import type { OidcSettings } from '../../config/providers.ts'
import type { Database } from '../../database/database.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Audit } from '../audit.ts'
import type { Secrets } from '../secrets.ts'
import type { AuthStore, AuthTables } from './auth.store.ts'
import { AuthError } from './auth-error.ts'
import type { AuthLimits } from './auth-limits.ts'
import type { AssuranceLevel, AuthUser } from './users.store.ts'

/** The origin of a request: an IPv4 address or the /64 network of an IPv6 address, and the user agent. */
export type Caller = { address: string; agent: string | null }

export type AuthenticatedSession = { user: AuthUser; sessionId: string; aal: AssuranceLevel }

export type AuthSettings = {
  /** The public URL of the application. */
  publicUrl: string
  /** Further origins that may call the API and be redirect targets. */
  origins: readonly string[]
  signup: boolean
  anonymous: boolean
  /** The key with which other servers call the admin API; undefined: administrators alone do. */
  adminKey: string | undefined
  /** Whether an administrator must have a second factor. */
  adminFactor: 'optional' | 'required'
  /** Whether a new password requires the current one, or another proof of this hour. */
  currentPassword: 'optional' | 'required'
  /** The external provider for sign-in; undefined: email and password alone. */
  oidc: OidcSettings | undefined
  /** The paths of the application's own pages. */
  pages: { login: string; confirm: string }
}

/** The dependencies that all parts of the service share. */
export type AuthContext = {
  store: AuthStore
  secrets: Secrets
  settings: AuthSettings
  limits: AuthLimits
  audit: Audit
  clock: Clock
  /** Called for every session that ends, so that caches of sessions can drop it. */
  onSessionEnded(sessionId: string): void
  /** Called in the transaction that deletes an account, before it does. `soft`: the row stays, without personal data. */
  onAccountDeleted(tx: Database, userId: string, options: { soft: boolean }): Promise<void>
}

export function isBanned(user: AuthUser, now: number): boolean {
  return user.banned_until !== null && Date.parse(user.banned_until) > now
}

/** Whether the user has a verified second factor. */
export function isEnrolled(user: Pick<AuthUser, 'factors'>): boolean {
  return user.factors.some(({ status }) => status === 'verified')
}

/** The level of a token in a session of another level: the lower of the two. */
export function minAal(one: AssuranceLevel, other: AssuranceLevel): AssuranceLevel {
  return one === 'aal2' ? other : one
}

/** @throws AuthError `insufficient_aal` if the user has a second factor and the session is of level aal1 */
export function requireSufficientAal(
  { user, aal }: { user: Pick<AuthUser, 'factors'>; aal: AssuranceLevel },
  status?: number,
): void {
  if (aal === 'aal2' || !isEnrolled(user)) return
  throw new AuthError('insufficient_aal', status === undefined ? {} : { status })
}

/**
 * Locks the calling user and their factors until the transaction ends, and reads their current state. It reads
 * in a second step, because a query that waited for its lock may return older rows.
 *
 * @throws AuthError when the session has ended or the user is banned
 */
export async function lockCallingUser(
  { users }: Pick<AuthTables, 'users'>,
  { user, sessionId, aal }: AuthenticatedSession,
  clock: AuthContext['clock'],
): Promise<Pick<AuthenticatedSession, 'user' | 'aal'>> {
  await users.lock(user.id)
  const now = await users.findBySession(sessionId)
  if (now?.id !== user.id || now.deleted_at) throw new AuthError('session_not_found')
  if (isBanned(now, clock.now())) throw new AuthError('user_banned', { status: 403 })
  return { user: now, aal: minAal(aal, now.aal) }
}

/** Seconds since 1970, as JWTs state times. */
export function unixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
