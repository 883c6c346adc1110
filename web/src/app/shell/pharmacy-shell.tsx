import type { ErrorCode } from '@bancone/contract/errors'
import { Suspense, useEffect } from 'react'
import { Outlet } from 'react-router'
import { ApiError } from '../../lib/api.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { PageSpinner } from '../../ui/spinner.tsx'
import { Toaster, toastError } from '../../ui/toast.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { Footer } from './footer.tsx'
import { NoPharmacy } from './no-pharmacy.tsx'
import { SkipLink } from './skip-link.tsx'
import { TopBar } from './top-bar.tsx'

const lockingOut = new Set<ErrorCode | null>([
  'access.denied',
  'pharmacy.inactive',
  'pharmacy.not_found',
])

function lockedOut(error: Error | null): boolean {
  return error instanceof ApiError && lockingOut.has(error.code)
}

/** The frame of the pages of a signed-in pharmacy. */
export function PharmacyShell() {
  const { data: pharmacy, error } = useOwnPharmacy()
  const locked = lockedOut(error)
  const signedOut = error instanceof ApiError && error.status === 401
  // What is known of it from before will do; then the failure has nothing the user must know.
  const missed = error !== null && pharmacy === undefined && !locked && !signedOut
  useEffect(() => {
    if (missed) toastError('Errore nel recupero dei dati della farmacia', { about: 'own-pharmacy' })
  }, [missed])

  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <TopBar pharmacy={locked ? undefined : pharmacy} unknown={error !== null} />
      <main
        id="contenuto"
        tabIndex={-1}
        className="mx-auto flex w-full max-w-360 flex-1 flex-col px-4 pt-5 outline-none md:pt-7 lg:px-6"
      >
        {locked ? (
          <NoPharmacy error={error} />
        ) : (
          <Suspense fallback={<PageSpinner />}>
            <Outlet />
          </Suspense>
        )}
      </main>
      <Footer />
      <ErrorBoundary fallback={null}>
        <Suspense>
          <Toaster />
        </Suspense>
      </ErrorBoundary>
    </div>
  )
}
