import type { ErrorCode } from '@bancone/contract/errors'
import { useEffect } from 'react'
import { Outlet } from 'react-router'
import { ApiError } from '../../lib/api.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { toastError } from '../../ui/toast.ts'
import { NoPharmacy } from './no-pharmacy.tsx'
import { StaffFrame } from './staff-frame.tsx'
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
    <StaffFrame
      header={<TopBar pharmacy={locked ? undefined : pharmacy} unknown={error !== null} />}
    >
      {locked ? <NoPharmacy error={error} /> : <Outlet />}
    </StaffFrame>
  )
}
