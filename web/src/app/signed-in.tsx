import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { readLinkRefusal } from '../features/session/mail-link.ts'
import { linkErrorMessage } from '../lib/auth-messages.ts'
import { toastError } from '../ui/toast.ts'

type SignedInProps = {
  to: string
  /** Of coming back from another service one signs in with. */
  failure: string | null
}

/** Leads whoever is signed in on from a login page. What failed is said on the page they come to. */
export function SignedIn({ to, failure }: SignedInProps) {
  const { hash } = useLocation()
  useEffect(() => {
    const refusal = readLinkRefusal(hash)
    if (failure !== null) toastError(failure, { about: 'external-sign-in' })
    else if (refusal) toastError(linkErrorMessage(refusal.code), { about: 'mail-link' })
  }, [hash, failure])
  return <Navigate to={to} replace />
}
