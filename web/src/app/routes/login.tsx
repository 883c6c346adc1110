import { paths } from '@bancone/contract/pages'
import { useLocation } from 'react-router'
import { ExternalProviders } from '../../features/session/external-providers.tsx'
import { SecondStep } from '../../features/session/second-step.tsx'
import { signIn } from '../../features/session/sign-in.ts'
import { SignInForm } from '../../features/session/sign-in-form.tsx'
import { pharmacySession, useSession } from '../../lib/session.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { loginNotice } from '../login-notice.ts'
import { loginState, returnPath } from '../login-state.ts'
import { RedirectAfterSignIn } from '../redirect-after-sign-in.tsx'
import { useOAuthCallback } from '../use-oauth-callback.ts'
import { useSecondStep } from '../use-second-step.ts'

export function Login() {
  const session = useSession(pharmacySession)
  const location = useLocation()
  const back = useOAuthCallback('pharmacy')
  const { asks, left, steps } = useSecondStep(session)
  if (session.status === 'loading' || back.busy) return <PageSpinner />
  if (session.status === 'signed-in' && asks) {
    return (
      <SecondStep
        key={session.userId}
        area="pharmacy"
        email={session.email}
        intro="Per entrare serve anche il codice della tua app di autenticazione."
        {...steps}
      />
    )
  }
  if (session.status === 'signed-in') {
    const to = returnPath(location.state, paths.dashboard, session.userId)
    return <RedirectAfterSignIn to={to} failure={back.failure} />
  }
  return (
    <SignInForm
      area="pharmacy"
      title="Accedi"
      intro="Gli ordini della tua farmacia, in un solo posto."
      notice={loginNotice(location, back.failure, session.reason)}
      forgot={loginState(location.state).forgot}
      takesFocus={left}
      onSignIn={(credentials) => signIn('pharmacy', credentials)}
      externalProviders={
        <ExternalProviders area="pharmacy" loginState={loginState(location.state)} />
      }
      footer={
        <>
          Come trattiamo i dati:{' '}
          <a href={paths.privacy} className="font-medium text-accent underline underline-offset-4">
            informativa sulla privacy
          </a>
        </>
      }
    />
  )
}
