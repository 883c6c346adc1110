import { hasFeature } from '@bancone/contract/access'
import type { ErrorCode } from '@bancone/contract/errors'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Store } from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { Outlet } from 'react-router'
import {
  type LiveOrders,
  LiveOrdersProvider,
  useLiveOrdersState,
} from '../../features/orders/data/live-orders.tsx'
import { ApiError } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useOwnPharmacy } from '../../lib/own-pharmacy.ts'
import { pharmacySession, useSession } from '../../lib/session.ts'
import { useTitleCount } from '../../lib/use-document-title.ts'
import { loadWhenIdle } from '../../lib/when-idle.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { toastError } from '../../ui/toast.ts'
import { ErrorBoundary } from '../error-boundary.tsx'
import { StaffFrame } from './staff-frame.tsx'
import { TopBar } from './top-bar.tsx'

const PharmacyAlerts = lazy(async () => ({
  default: (await loadWhenIdle(loadAlerts)).PharmacyAlerts,
}))
const loadAlerts = () => import('../../features/notifications/pharmacy-alerts.tsx')

const PriorityArrivals = lazy(async () => ({
  default: (await loadWhenIdle(loadArrivals)).PriorityArrivals,
}))
const loadArrivals = () => import('../../features/priority/arrivals/priority-arrivals.tsx')

const PlatformMessages = lazy(async () => ({
  default: (await loadWhenIdle(loadMessages)).PlatformMessages,
}))
const loadMessages = () => import('../../features/settings/platform-messages.tsx')

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

/**
 * @param before the pharmacy that was loaded before the error
 * @param userId the primary account of a pharmacy has the id of the pharmacy
 */
function words(
  error: unknown,
  before: OwnPharmacy | undefined,
  userId: string | null,
): { title: string; text: string } {
  const code = error instanceof ApiError ? error.code : null
  if (code === 'pharmacy.inactive') {
    return {
      title: errorMessage(error),
      text: 'Per riattivarla o per chiarimenti contatta chi gestisce Bancone per la tua farmacia.',
    }
  }
  if (code === 'pharmacy.not_found' && before && before.id === userId) {
    return {
      title: 'La farmacia è stata eliminata.',
      text: `Per ripristinare «${before.name}» o per chiarimenti contatta chi gestisce Bancone per la tua farmacia.`,
    }
  }
  if (code === 'pharmacy.not_found' && before) {
    return {
      title: 'Non fai più parte di questa farmacia',
      text: `Per tornare a lavorare in «${before.name}» chiedi a un titolare di invitarti di nuovo.`,
    }
  }
  return {
    title: 'A questo accesso non corrisponde nessuna farmacia.',
    text: "Fai il logout e accedi con l'account della farmacia.",
  }
}

type NoPharmacyProps = { error: unknown; before: OwnPharmacy | undefined }

/** Replaces every page when the account has no pharmacy, or an inactive one. */
function NoPharmacy({ error, before }: NoPharmacyProps) {
  const session = useSession(pharmacySession)
  const userId = session.status === 'signed-in' ? session.userId : null
  const { title, text } = words(error, before, userId)
  return (
    <div role="alert" className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<Store />}
        title={title}
        action={
          <Button look="primary" onClick={() => pharmacySession.signOut()}>
            Logout
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}
