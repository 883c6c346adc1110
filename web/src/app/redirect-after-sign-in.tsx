import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { readLinkRefusal } from '../features/session/mail-link.ts'
import { linkErrorMessage } from '../lib/auth-messages.ts'
import { toastError } from '../ui/toast.ts'

type RedirectAfterSignInProps = {
  to: string
  /** Message of a failed sign-in with an external provider. */
  failure: string | null
}

/** Redirects a signed-in user from a login page. A failure is reported on the target page. */
export function RedirectAfterSignIn({ to, failure }: RedirectAfterSignInProps) {
  const { hash } = useLocation()
  useEffect(() => {
    const refusal = readLinkRefusal(hash)
    if (failure !== null) toastError(failure, { about: 'external-sign-in' })
    else if (refusal) toastError(linkErrorMessage(refusal.code), { about: 'mail-link' })
  }, [hash, failure])
  return <Navigate to={to} replace />
}
