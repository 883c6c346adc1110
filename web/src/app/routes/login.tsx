import { Navigate, useLocation } from 'react-router'
import { LoginForm } from '../../features/session/login-form.tsx'
import { useSession } from '../../lib/session.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { returnPath } from '../return-path.ts'

export function Login() {
  useDocumentTitle('Accedi')
  const session = useSession()
  const location = useLocation()
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in') return <Navigate to={returnPath(location.state)} replace />
  return <LoginForm ended={session.why === 'ended'} />
}
