import type { ErrorCode } from '@bancone/contract/errors'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import {
  type OrderWatch,
  OrderWatchProvider,
  useOrderWatch,
} from '../../features/orders/order-watch.tsx'
import { ApiError } from '../../lib/api.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { pharmacySession, useSession } from '../../lib/session.ts'
import { useTitleCount } from '../../lib/use-document-title.ts'
import { toastError } from '../../ui/toast.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { NoPharmacy } from './no-pharmacy.tsx'
import { StaffFrame } from './staff-frame.tsx'
import { TopBar } from './top-bar.tsx'

const PharmacyAlerts = lazy(async () => ({
  default: (await import('../../features/notifications/pharmacy-alerts.tsx')).PharmacyAlerts,
}))

/** The code is there by then: what follows the notifications needs it too. */
async function announce(count: number) {
  const { announceNewOrders } = await import('../../features/notifications/announce-new-orders.ts')
  announceNewOrders(count)
}

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
  const session = useSession(pharmacySession)
  const { data: pharmacy, error } = useOwnPharmacy()
  const locked = lockedOut(error)
  const signedOut = error instanceof ApiError && error.status === 401
  // What is known of it from before will do; then the failure has nothing the user must know.
  const missing = error !== null && pharmacy === undefined && !locked && !signedOut
  // It is asked for again and again then, and said once.
  const [missed, setMissed] = useState(false)
  if (missing && !missed) setMissed(true)
  if (pharmacy && missed) setMissed(false)
  useEffect(() => {
    if (missed) toastError('Errore nel recupero dei dati della farmacia', { about: 'own-pharmacy' })
  }, [missed])
  const watch: OrderWatch = useOrderWatch({
    userId: session.status === 'signed-in' && !locked ? session.userId : null,
    pharmacyId: (!locked && pharmacy?.id) || null,
    // All that nobody has seen: it takes the place of the notification before, which may not be seen either.
    onNewOrders: () => void announce(watch.unseen.count).catch(() => undefined),
  })
  const unseen = locked ? 0 : watch.unseen.count
  useTitleCount(unseen)

  return (
    <StaffFrame
      header={
        <TopBar pharmacy={locked ? undefined : pharmacy} unknown={error !== null} unseen={unseen} />
      }
    >
      {locked ? (
        <NoPharmacy error={error} before={pharmacy} />
      ) : (
        <OrderWatchProvider watch={watch}>
          <Outlet />
          <ErrorBoundary fallback={null}>
            <Suspense>
              <PharmacyAlerts unseen={unseen} onNews={watch.readAgain} />
            </Suspense>
          </ErrorBoundary>
        </OrderWatchProvider>
      )}
    </StaffFrame>
  )
}
