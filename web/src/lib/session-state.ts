import type { Access } from '@bancone/contract/access'

/** The two kinds of session. A browser can hold one of each at a time. */
export type Area = 'pharmacy' | 'admin'

/** As the auth client has it: a token that expires within this time is refreshed first. */
export const EXPIRY_MARGIN_MS = 90_000

/** The area whose session an endpoint uses by default; null when it needs no session. */
export function areaOf(access: Access): Area | null {
  if (access === 'public') return null
  return access === 'admin' ? 'admin' : 'pharmacy'
}

/**
 * Why no user is signed in.
 * - `absent`: there was no session, or another tab signed out
 * - `left`: the user signed out in this tab, so the login page does not return to the previous page
 * - `denied`: the user has no access to this area
 * - `ended`: the session expired or was revoked; the login page says so
 * - `closed`: the account was closed; the login page says so
 */
export type SignedOutReason = 'absent' | 'left' | 'denied' | 'ended' | 'closed'

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-out'; reason: SignedOutReason }
  | {
      status: 'signed-in'
      userId: string
      email: string
      fromMail: boolean
      /** The second factor has not been verified yet. */
      factorNeeded: boolean
    }

/**
 * Whether the change needs no rendering. A refreshed token of the same user changes nothing, and the first reason of
 * a sign-out is kept.
 */
export function isSame(one: SessionState, other: SessionState): boolean {
  if (one.status !== 'signed-in' || other.status !== 'signed-in') return one.status === other.status
  return (
    one.userId === other.userId &&
    one.email === other.email &&
    one.fromMail === other.fromMail &&
    one.factorNeeded === other.factorNeeded
  )
}
