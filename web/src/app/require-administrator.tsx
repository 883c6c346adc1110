import { paths } from '@bancone/contract/pages'
import { useEffect } from 'react'
import { useOwnAdministrator } from '../features/administrators/own-administrator.ts'
import { ApiError } from '../lib/api.ts'
import { adminSession, useSession } from '../lib/session.ts'
import { PageSpinner } from '../ui/spinner.tsx'
import { AdminShell } from './shell/admin-shell.tsx'
import { AdminUnavailable } from './shell/admin-unavailable.tsx'
import { ToLogin } from './to-login.tsx'

/** The pages of the administration, for its members. Everybody else is led to its login. */
export function RequireAdministrator() {
  const session = useSession(adminSession)
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in') return <Membership key={session.userId} />
  return <ToLogin login={paths.adminLogin} why={session.why} keeper={adminSession} />
}

function Membership() {
  const { data, error, isFetching, refetch } = useOwnAdministrator()
  const denied = error instanceof ApiError && error.status === 403
  useEffect(() => {
    if (denied) adminSession.signOut('denied')
  }, [denied])
  if (denied) return <PageSpinner />
  // Whoever was let in stays, when only the answer to a later question does not come.
  if (data) return <AdminShell email={data.email} />
  if (!error) return <PageSpinner />
  return <AdminUnavailable error={error} trying={isFetching} onRetry={() => void refetch()} />
}
