import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router'
import { readLinkRefusal } from '../features/session/mail-link.ts'
import { linkErrorMessage } from '../lib/auth-messages.ts'
import { toastError } from '../ui/toast.ts'

/** Leads whoever is signed in on from a login page. A link that failed is said on the page they come to. */
export function SignedIn({ to }: { to: string }) {
  const { hash } = useLocation()
  useEffect(() => {
    const refusal = readLinkRefusal(hash)
    if (refusal) toastError(linkErrorMessage(refusal.code), { about: 'mail-link' })
  }, [hash])
  return <Navigate to={to} replace />
}
