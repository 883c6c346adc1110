import { fixedErrors } from '@bancone/contract/fixed-errors'
import { paths } from '@bancone/contract/pages'
import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { checkAdministrator, isDenied } from '../../features/administrators/own-administrator.ts'
import { areas } from '../../features/session/areas.ts'
import { ExternalProviders } from '../../features/session/external-providers.tsx'
import { readLinkRefusal } from '../../features/session/mail-link.ts'
import { SecondStep } from '../../features/session/second-step.tsx'
import { type Credentials, signIn } from '../../features/session/sign-in.ts'
import { type Notice, SignInForm } from '../../features/session/sign-in-form.tsx'
import { linkErrorMessage, notAdministrator } from '../../lib/auth-messages.ts'
import { sessionEnded } from '../../lib/common-texts.ts'
import { adminSession, useSession } from '../../lib/session.ts'
import type { Area, SignedOutReason } from '../../lib/session-state.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { toastError } from '../../ui/toast.ts'
import { loginState, returnPath } from '../login-state.ts'
import { useOAuthCallback } from '../use-oauth-callback.ts'
import { useSecondStep } from '../use-second-step.ts'

export function Login() {
  return (
    <SignInPage
      area="pharmacy"
      title="Accedi"
      intro="Gli ordini della tua farmacia, in un solo posto."
      onSignIn={(credentials) => signIn('pharmacy', credentials)}
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

export function AdminLogin() {
  const client = useQueryClient()

  async function enter(credentials: Credentials): Promise<string | null> {
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
    }
  }

  return (
    <SignInPage
      area="admin"
      title="Area Amministratori"
      intro="Riservata a chi gestisce Bancone."
      ended="Errore di autenticazione. Riprova ad accedere."
      onSignIn={enter}
    />
  )
}

type SignInPageProps = Pick<
  ComponentProps<typeof SignInForm>,
  'title' | 'intro' | 'onSignIn' | 'footer'
> & {
  area: Area
  /** Text for a session that ended during work. */
  ended?: string
}

function SignInPage({ area, ended = sessionEnded, onSignIn, ...form }: SignInPageProps) {
  const { session: store, home } = areas[area]
  const session = useSession(store)
  const location = useLocation()
  const back = useOAuthCallback(area)
  const { asks, left, steps } = useSecondStep(session)
  // Signed in, but what follows is not known yet: the form stays with its content.
  const [entering, setEntering] = useState(false)
  if (session.status === 'loading' || back.busy) return <PageSpinner />
  if (session.status === 'signed-in' && asks) {
    return (
      <SecondStep
        key={session.userId}
        area={area}
        email={session.email}
        intro="Per entrare serve anche il codice della tua app di autenticazione."
        {...steps}
      />
    )
  }
  if (session.status === 'signed-in' && !entering) {
    const to = returnPath(location.state, home, session.userId)
    return <RedirectAfterSignIn to={to} failure={back.failure} />
  }
  const absence = session.status === 'signed-out' ? session.reason : 'absent'
  return (
    <SignInForm
      area={area}
      notice={noticeOf({ location, failure: back.failure, absence, ended })}
      forgot={loginState(location.state).forgot}
      takesFocus={left}
      onSignIn={async (credentials) => {
        setEntering(true)
        const failure = await onSignIn(credentials)
        setEntering(false)
        return failure
      }}
      externalProviders={<ExternalProviders area={area} loginState={loginState(location.state)} />}
      {...form}
    />
  )
}

type Arrival = {
  location: { state: unknown; hash: string }
  /** Message of a failed sign-in with an external provider. */
  failure: string | null
  /** Why the last session ended. */
  absence: SignedOutReason
  ended: string
}

/** The message to a user who was redirected to the page. */
function noticeOf({ location, failure, absence, ended }: Arrival): Notice | null {
  if (failure !== null) return { tone: 'error', text: failure }
  const refusal = readLinkRefusal(location.hash)
  if (refusal) return { tone: 'error', text: linkErrorMessage(refusal.code) }
  const { why, forgot } = loginState(location.state)
  if (why === 'closed' || absence === 'closed') {
    return { tone: 'notice', text: fixedErrors['session.unknown_user'].shown }
  }
  if (why === 'ended' || absence === 'ended') return { tone: 'notice', text: ended }
  if (why === 'denied') return { tone: 'error', text: notAdministrator }
  const text = 'Per un nuovo link scrivi la tua email e premi «Password dimenticata?».'
  return forgot ? { tone: 'notice', text } : null
}

/** Redirects a signed-in user. A failure is reported on the target page. */
function RedirectAfterSignIn({ to, failure }: { to: string; failure: string | null }) {
  const { hash } = useLocation()
  useEffect(() => {
    const refusal = readLinkRefusal(hash)
    if (failure !== null) toastError(failure, { about: 'external-sign-in' })
    else if (refusal) toastError(linkErrorMessage(refusal.code), { about: 'mail-link' })
  }, [hash, failure])
  return <Navigate to={to} replace />
}
