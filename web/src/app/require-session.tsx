import { paths } from '@bancone/contract/pages'
import { Outlet } from 'react-router'
import { pharmacySession, useSession } from '../lib/session.ts'
import { PageSpinner } from '../ui/spinner.tsx'
import { RedirectToLogin } from './redirect-to-login.tsx'

/** Shows its child routes to signed-in users of a pharmacy. Redirects all others to the login page. */
export function RequireSession() {
  const session = useSession(pharmacySession)
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in' && !session.factorNeeded) {
    return <Outlet key={session.userId} />
  }
  const why = session.status === 'signed-in' ? 'half' : session.reason
  return <RedirectToLogin login={paths.login} why={why} sessionStore={pharmacySession} />
}
