import { useEffect, useEffectEvent } from 'react'
import { type Location, useLocation, useNavigate } from 'react-router'
import type { SignedOutReason } from '../lib/session-state.ts'
import type { SessionStore } from '../lib/session-store.ts'
import type { LoginState } from './login-state.ts'

type RedirectToLoginProps = {
  login: string
  /** 'half': the second factor has not been verified yet; the login page asks for it. */
  why: SignedOutReason | 'half'
  sessionStore: SessionStore
}

/** Redirects to a login page, with the page to return to and the reason in the navigation state. */
export function RedirectToLogin({ login, why, sessionStore }: RedirectToLoginProps) {
  const location = useLocation()
  const navigate = useNavigate()
  const redirect = useEffectEvent(({ pathname, search, hash }: Location) => {
    const atWork = why === 'absent' || why === 'ended' || why === 'half'
    const refused = /^#(.*&)?error(_code)?=/.test(hash)
    const state: LoginState = {
      // Includes the hash, which contains the search text.
      from: atWork ? pathname + search + (refused ? '' : hash) : null,
      user: sessionStore.lastUserId(),
      why: why === 'ended' || why === 'closed' || why === 'denied' ? why : null,
      forgot: false,
    }
    // The hash with the error of an email link is passed on: the login page shows it.
    const to = { pathname: login, hash: refused ? hash : '' }
    void navigate(to, { replace: true, state: why === 'left' ? null : state })
  })
  // Going back while the login page is still loading leads to another entry, which must redirect too. It may have the
  // key of this one: a menu that was open has made it.
  useEffect(() => redirect(location), [location])
  return null
}
