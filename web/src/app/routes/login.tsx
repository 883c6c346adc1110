import { paths } from '@bancone/contract/pages'
import { Link, useLocation } from 'react-router'
import { signIn } from '../../features/session/sign-in.ts'
import { SignInForm } from '../../features/session/sign-in-form.tsx'
import { pharmacySession, useSession } from '../../lib/session.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { loginNotice } from '../login-notice.ts'
import { loginState, returnPath } from '../login-state.ts'
import { SignedIn } from '../signed-in.tsx'

export function Login() {
  useDocumentTitle('Accedi')
  const session = useSession(pharmacySession)
  const location = useLocation()
  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in')
    return <SignedIn to={returnPath(location.state, paths.dashboard, session.userId)} />
  return (
    <SignInForm
      area="pharmacy"
      title="Accedi"
      intro="Gli ordini della tua farmacia, in un solo posto."
      notice={loginNotice(location)}
      forgot={loginState(location.state).forgot}
      onSignIn={(credentials) => signIn('pharmacy', credentials)}
      footer={
        <>
          Come trattiamo i dati:{' '}
          <Link to={paths.privacy} className="font-medium text-accent underline underline-offset-4">
            informativa sulla privacy
          </Link>
        </>
      }
    />
  )
}
