import { paths } from '@bancone/contract/pages'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { checkAdministrator } from '../../features/administrators/own-administrator.ts'
import type { Credentials } from '../../features/session/credentials.ts'
import { signIn } from '../../features/session/sign-in.ts'
import { SignInForm } from '../../features/session/sign-in-form.tsx'
import { ApiError } from '../../lib/api.ts'
import { notAdministrator } from '../../lib/auth-messages.ts'
import { adminSession, useSession } from '../../lib/session.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { loginNotice } from '../login-notice.ts'
import { loginState, returnPath } from '../login-state.ts'
import { SignedIn } from '../signed-in.tsx'

export function AdminLogin() {
  useDocumentTitle('Area Amministratori')
  const session = useSession(adminSession)
  const client = useQueryClient()
  const location = useLocation()
  // Signed in, but not yet known to be an administrator: the form stays, with what was typed.
  const [entering, setEntering] = useState(false)

  async function enter(credentials: Credentials): Promise<string | null> {
    setEntering(true)
    try {
      const failure = await signIn('admin', credentials)
      if (failure !== null) return failure
      await checkAdministrator(client)
      return null
    } catch (error) {
      // Anything else is said, with a way to try again, by the page one comes to.
      if (!(error instanceof ApiError) || error.status !== 403) return null
      adminSession.signOut('denied')
      return notAdministrator
    } finally {
      setEntering(false)
    }
  }

  if (session.status === 'loading') return <PageSpinner />
  if (session.status === 'signed-in' && !entering) {
    const to = returnPath(location.state, paths.adminDashboard, session.userId)
    return <SignedIn to={to} />
  }
  return (
    <SignInForm
      area="admin"
      title="Area Amministratori"
      intro="Riservata a chi gestisce Bancone."
      notice={loginNotice(location)}
      forgot={loginState(location.state).forgot}
      onSignIn={enter}
    />
  )
}
