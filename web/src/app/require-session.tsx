import { paths } from '@bancone/contract/pages'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useSession } from '../lib/session.ts'
import { PageSpinner } from '../ui/spinner.tsx'

/** Shows its pages to a signed-in pharmacy, and sends everybody else to the login page. */
export function RequireSession() {
  const session = useSession()
  const { key, pathname, search } = useLocation()
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in') return <Outlet key={session.userId} />
  const state = session.why === 'left' ? null : { from: pathname + search }
  // By key: who goes back while the login page still loads is on another entry, to be led away as well.
  return <Navigate key={key} to={paths.login} replace state={state} />
}
