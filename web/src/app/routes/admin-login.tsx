import { paths } from '@bancone/contract/pages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { checkAdministrator, isDenied } from '../../features/administrators/own-administrator.ts'
import { ExternalProviders } from '../../features/session/external-providers.tsx'
import { SecondStep } from '../../features/session/second-step.tsx'
import type { Credentials } from '../../features/session/sign-in.ts'
import { signIn } from '../../features/session/sign-in.ts'
import { SignInForm } from '../../features/session/sign-in-form.tsx'
import { notAdministrator } from '../../lib/auth-messages.ts'
import { adminSession, useSession } from '../../lib/session.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { loginNotice } from '../login-notice.ts'
import { loginState, returnPath } from '../login-state.ts'
import { RedirectAfterSignIn } from '../redirect-after-sign-in.tsx'
import { useOAuthCallback } from '../use-oauth-callback.ts'
import { useSecondStep } from '../use-second-step.ts'

const sessionEnded = 'Errore di autenticazione. Riprova ad accedere.'

export function AdminLogin() {
  const session = useSession(adminSession)
  const client = useQueryClient()
  const location = useLocation()
  const back = useOAuthCallback('admin')
  const { asks, left, steps } = useSecondStep(session)
  // Signed in, but the administrator role is not confirmed yet: the form stays with its content.
  const [entering, setEntering] = useState(false)

  async function enter(credentials: Credentials): Promise<string | null> {
    setEntering(true)
    try {
      const failure = await signIn('admin', credentials)
      // The role is checked after the second factor.
      if (failure !== null || adminSession.current()?.factorNeeded) return failure
      await checkAdministrator(client)
      return null
    } catch (error) {
      // The next page reports other errors, with a retry.
      if (!isDenied(error)) return null
      adminSession.signOut('denied')
      return notAdministrator
    } finally {
      setEntering(false)
    }
  }

  if (session.status === 'loading' || back.busy) return <PageSpinner />
  if (session.status === 'signed-in' && asks) {
    return (
      <SecondStep
        key={session.userId}
        area="admin"
        email={session.email}
        intro="Per entrare serve anche il codice della tua app di autenticazione."
        {...steps}
      />
    )
  }
  if (session.status === 'signed-in' && !entering) {
    const to = returnPath(location.state, paths.adminDashboard, session.userId)
    return <RedirectAfterSignIn to={to} failure={back.failure} />
  }
  const absence = session.status === 'signed-out' ? session.reason : 'absent'
  return (
    <SignInForm
      area="admin"
      title="Area Amministratori"
      intro="Riservata a chi gestisce Bancone."
      notice={loginNotice(location, back.failure, absence, sessionEnded)}
      forgot={loginState(location.state).forgot}
      takesFocus={left}
      onSignIn={enter}
      externalProviders={<ExternalProviders area="admin" loginState={loginState(location.state)} />}
    />
  )
}
