import { Navigate, useLocation } from 'react-router'
import type { SessionKeeper } from '../lib/session-keeper.ts'
import type { Absence } from '../lib/session-state.ts'
import type { LoginState } from './login-state.ts'

type ToLoginProps = {
  login: string
  /** 'half': the second factor is still to be shown, which is asked for there. */
  why: Absence | 'half'
  keeper: SessionKeeper
}

/** Leads to a login page, which is told where to come back to and why one has to sign in. */
export function ToLogin(props: ToLoginProps) {
  const { login, why, keeper } = props
  const { key, pathname, search, hash } = useLocation()
  const atWork = why === 'absent' || why === 'ended' || why === 'half'
  const refused = /^#(.*&)?error(_code)?=/.test(hash)
  const state: LoginState = {
    // With its fragment, where the words of a search stand.
    from: atWork ? pathname + search + (refused ? '' : hash) : null,
    user: keeper.lastUser(),
    why: why === 'ended' || why === 'closed' || why === 'denied' ? why : null,
    forgot: false,
  }
  // A link that failed says so there.
  const to = { pathname: login, hash: refused ? hash : '' }
  // By key: who goes back while the login page still loads is on another entry, to be led away as well.
  return <Navigate key={key} to={to} replace state={why === 'left' ? null : state} />
}
