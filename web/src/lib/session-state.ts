import type { Access } from '@bancone/contract/access'

/** Who a session is for. One browser can hold one of each. */
export type Area = 'pharmacy' | 'admin'

/** Whose session a call is made with, unless it says which; null when it needs none. */
export function areaOf(access: Access): Area | null {
  if (access === 'public') return null
  return access === 'admin' ? 'admin' : 'pharmacy'
}

/**
 * Why nobody is signed in: there was no session, or one that another tab has left ('absent'); the user
 * asked to leave in this tab, so there is no place to come back to ('left'); the user may not be here
 * ('denied'); or a session ended by itself, or with its account, which is to be said ('ended', 'closed').
 */
export type Absence = 'absent' | 'left' | 'denied' | 'ended' | 'closed'

export type SessionState =
  | { status: 'loading' }
  | { status: 'signed-out'; why: Absence }
  | {
      status: 'signed-in'
      userId: string
      email: string
      fromMail: boolean
      /** Half a sign-in: the second factor is still to be shown. */
      factorNeeded: boolean
    }

/** A refreshed token of the same user changes nothing for the pages; who is out, is out for one reason. */
export function isSame(one: SessionState, other: SessionState): boolean {
  if (one.status !== 'signed-in' || other.status !== 'signed-in') return one.status === other.status
  return (
    one.userId === other.userId &&
    one.email === other.email &&
    one.fromMail === other.fromMail &&
    one.factorNeeded === other.factorNeeded
  )
}
