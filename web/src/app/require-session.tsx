import { paths } from '@bancone/contract/pages'
import { Outlet } from 'react-router'
import { pharmacySession, useSession } from '../lib/session.ts'
import { PageSpinner } from '../ui/spinner.tsx'
import { ToLogin } from './to-login.tsx'

/** Shows its pages to a signed-in pharmacy, and sends everybody else to the login page. */
export function RequireSession() {
  const session = useSession(pharmacySession)
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in' && !session.factorNeeded) {
    return <Outlet key={session.userId} />
  }
  const why = session.status === 'signed-in' ? 'half' : session.why
  return <ToLogin login={paths.login} why={why} keeper={pharmacySession} />
}
