import { hasFeature } from '@bancone/contract/access'
import type { ErrorCode } from '@bancone/contract/errors'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import {
  type LiveOrders,
  LiveOrdersProvider,
  useLiveOrdersState,
} from '../../features/orders/live-orders.tsx'
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

const PriorityArrivals = lazy(async () => ({
  default: (await import('../../features/priority/arrivals/priority-arrivals.tsx'))
    .PriorityArrivals,
}))

const PlatformMessages = lazy(async () => ({
  default: (await import('../../features/settings/platform-messages.tsx')).PlatformMessages,
}))

/** The notifications feature has already loaded this chunk. */
function announce(what: 'announceNewOrders' | 'announceArrivals', count: number) {
  import('../../features/notifications/announcements.ts').then(
    (announcements) => announcements[what](count),
    () => undefined,
  )
}

const noArrivals = { waiting: 0, unacknowledged: 0 }

const lockingOut = new Set<ErrorCode | null>([
  'access.denied',
  'pharmacy.inactive',
  'pharmacy.not_found',
])

function lockedOut(error: Error | null): boolean {
  return error instanceof ApiError && lockingOut.has(error.code)
}

/** Layout of the pages of a signed-in pharmacy. */
export function PharmacyShell() {
  const session = useSession(pharmacySession)
  const { data: pharmacy, error } = useOwnPharmacy()
  const locked = lockedOut(error)
  const signedOut = error instanceof ApiError && error.status === 401
  // While cached data is available the failure is not reported.
  const missing = error !== null && pharmacy === undefined && !locked && !signedOut
  // The query retries; the failure is reported once.
  const [missed, setMissed] = useState(false)
  if (missing && !missed) setMissed(true)
  if (pharmacy && missed) setMissed(false)
  useEffect(() => {
    if (missed) toastError('Errore nel recupero dei dati della farmacia', { about: 'own-pharmacy' })
  }, [missed])
  const liveOrders: LiveOrders = useLiveOrdersState({
    userId: session.status === 'signed-in' && !locked ? session.userId : null,
    pharmacyId: (!locked && pharmacy?.id) || null,
    // The count of all unseen orders: the notification replaces the previous one, whose orders may be unseen too.
    onNewOrders: () => announce('announceNewOrders', liveOrders.unseen.count),
  })
  const unseen = locked ? 0 : liveOrders.unseen.count
  const [arrivals, setArrivals] = useState(noArrivals)
  const hasPriority = pharmacy !== undefined && hasFeature(pharmacy, 'priority_access')
  useTitleCount(unseen + arrivals.unacknowledged)
  const alert = locked ? null : (
    <>
      {hasPriority ? (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <PriorityArrivals
              live={liveOrders.connection === 'live'}
              onCounts={setArrivals}
              onArrivals={(count) => announce('announceArrivals', count)}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
      {liveOrders.isStarted || arrivals.unacknowledged > 0 ? (
        <ErrorBoundary fallback={null}>
          <Suspense>
            <PharmacyAlerts
              unseen={unseen}
              arrivals={hasPriority ? arrivals.unacknowledged : null}
              onNews={liveOrders.refetch}
            />
          </Suspense>
        </ErrorBoundary>
      ) : null}
    </>
  )

  return (
    <StaffFrame
      header={
        <TopBar
          pharmacy={locked ? undefined : pharmacy}
          unknown={error !== null}
          unseen={unseen}
          waiting={arrivals.waiting}
          alert={alert}
          alertNeedsRow={!hasPriority || arrivals.unacknowledged > 0}
        />
      }
      end={
        locked || !liveOrders.isStarted ? null : (
          <PlatformMessages planEnd={pharmacy?.planValidUntil} />
        )
      }
    >
      {locked ? (
        <NoPharmacy error={error} before={pharmacy} />
      ) : (
        <LiveOrdersProvider liveOrders={liveOrders}>
          <Outlet />
        </LiveOrdersProvider>
      )}
    </StaffFrame>
  )
}
