import { Navigate, useLocation } from 'react-router'
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
export function RedirectToLogin(props: RedirectToLoginProps) {
  const { login, why, sessionStore } = props
  const { key, pathname, search, hash } = useLocation()
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
  // With a key: going back while the login page is still loading leads to another entry, which must redirect too.
  return <Navigate key={key} to={to} replace state={why === 'left' ? null : state} />
}
