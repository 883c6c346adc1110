import { paths } from '@bancone/contract/pages'
import { ServerOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import { isDenied, useOwnAdministrator } from '../features/administrators/own-administrator.ts'
import { hasCode } from '../lib/api.ts'
import { errorMessage } from '../lib/messages.ts'
import { adminSession, useSession } from '../lib/session.ts'
import { useDocumentTitle } from '../lib/use-document-title.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { PageSpinner } from '../ui/spinner.tsx'
import { RedirectToLogin } from './redirect-to-login.tsx'
import { AdminHeader } from './shell/admin-header.tsx'
import { Footer } from './shell/footer.tsx'
import { StaffFrame } from './shell/staff-frame.tsx'

const EnrolmentNeeded = lazy(async () => ({
  default: (await import('./enrolment-needed.tsx')).EnrolmentNeeded,
}))

/**
 * Shows the administration to administrators. Redirects all others to its login page.
 *
 * @param ahead shown until the role is known
 */
export function RequireAdministrator({ ahead }: { ahead: ReactNode }) {
  const session = useSession(adminSession)
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in' && !session.factorNeeded) {
    return <Membership key={session.userId} ahead={ahead} />
  }
  const why = session.status === 'signed-in' ? 'half' : session.reason
  return <RedirectToLogin login={paths.adminLogin} why={why} sessionStore={adminSession} />
}

function Membership({ ahead }: { ahead: ReactNode }) {
  const { data, error, isFetching, refetch } = useOwnAdministrator()
  const denied = isDenied(error)
  const mustEnrol = hasCode(error, 'session.enrolment_needed')
  // Stays until the user has saved the recovery codes, although the session is sufficient before that.
  const [enrolling, setEnrolling] = useState(false)
  if (mustEnrol && !enrolling) setEnrolling(true)
  useEffect(() => {
    if (denied) adminSession.signOut('denied')
  }, [denied])
  if (denied) return <PageSpinner />
  if (enrolling) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <EnrolmentNeeded onDone={() => void refetch().then(() => setEnrolling(false))} />
      </Suspense>
    )
  }
  // The page stays when a refetch of the membership fails.
  if (data) {
    return (
      <StaffFrame header={<AdminHeader email={data.email} />}>
        <Outlet />
      </StaffFrame>
    )
  }
  if (!error) return ahead
  return <AdminUnavailable error={error} trying={isFetching} onRetry={() => void refetch()} />
}

type AdminUnavailableProps = { error: Error; trying: boolean; onRetry: () => void }

/** Shown instead of the administration while the server cannot confirm the role. */
function AdminUnavailable({ error, trying, onRetry }: AdminUnavailableProps) {
  useDocumentTitle('Amministrazione')
  return (
    <div className="flex min-h-dvh flex-col">
      <AdminHeader email={null} />
      <main className="grid flex-1 place-content-center">
        <div role="alert">
          <EmptyState
            heading="h1"
            icon={<ServerOff />}
            title="Non riusciamo a verificare il tuo accesso"
            action={
              <Button look="primary" inactive={trying} onClick={onRetry}>
                Riprova
              </Button>
            }
          >
            {errorMessage(error)}
          </EmptyState>
        </div>
      </main>
      <Footer />
    </div>
  )
}
