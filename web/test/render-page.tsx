import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, Suspense } from 'react'
import { BrowserRouter } from 'react-router'
import { onTestFinished } from 'vitest'
import { Providers } from '../src/app/providers.tsx'
import { Dashboard } from '../src/app/routes/dashboard.tsx'
import { Offers } from '../src/app/routes/offers.tsx'
import { LiveOrdersProvider, useLiveOrdersState } from '../src/features/orders/data/live-orders.tsx'
import { useOwnPharmacy } from '../src/lib/own-pharmacy.ts'
import { createQueryClient } from '../src/lib/query-client.ts'
import { OpenChannelContext } from '../src/lib/realtime.ts'
import { Toaster } from '../src/ui/toast.ts'
import { userId } from './fixtures.ts'
import { dropPendingToasts } from './pending-toasts.tsx'
import { disconnectedChannel, type RenderOptions } from './render-app.tsx'
import { signedIn } from './render-part.tsx'
import type { StubApi } from './stub-api.ts'

/** Renders a page without the application's layout, at a path, for a signed-in user. */
export function renderPage(
  page: ReactNode,
  path: string,
  api: StubApi,
  { entry, openChannel = disconnectedChannel }: Omit<RenderOptions, 'signedIn'> = {},
) {
  window.history.pushState(entry === undefined ? null : { usr: entry, key: 'entry' }, '', path)
  signedIn(api)
  const client = createQueryClient(0)
  onTestFinished(() => client.clear())
  dropPendingToasts()
  const view = render(
    <OpenChannelContext value={openChannel}>
      <Providers client={client}>
        <BrowserRouter>
          {page}
          <Suspense>
            <Toaster />
          </Suspense>
        </BrowserRouter>
      </Providers>
    </OpenChannelContext>,
  )
  return { ...view, user: userEvent.setup(), client }
}

/** The dashboard with live orders, as the layout provides them. */
function WatchedDashboard() {
  const { data: pharmacy } = useOwnPharmacy()
  const pharmacyId = pharmacy?.id ?? null
  const watch = useLiveOrdersState({ userId, pharmacyId, onNewOrders: () => undefined })
  return (
    <LiveOrdersProvider liveOrders={watch}>
      <Dashboard />
    </LiveOrdersProvider>
  )
}

/** Renders the dashboard without the application's layout. */
export function renderDashboard(
  path: string,
  api: StubApi,
  start?: Omit<RenderOptions, 'signedIn'>,
) {
  return renderPage(<WatchedDashboard />, path, api, start)
}

/** Renders the offers page without the application's layout. */
export function renderOffers(path: string, api: StubApi, start?: Omit<RenderOptions, 'signedIn'>) {
  return renderPage(<Offers />, path, api, start)
}
