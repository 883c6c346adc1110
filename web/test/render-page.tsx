import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type ReactNode, Suspense } from 'react'
import { BrowserRouter } from 'react-router'
import { onTestFinished } from 'vitest'
import { Providers } from '../src/app/providers.tsx'
import { Dashboard } from '../src/app/routes/dashboard.tsx'
import { Offers } from '../src/app/routes/offers.tsx'
import { OrderWatchProvider, useOrderWatch } from '../src/features/orders/order-watch.tsx'
import { useOwnPharmacy } from '../src/lib/own-pharmacy.ts'
import { createQueryClient } from '../src/lib/query-client.ts'
import { RealtimeConnect } from '../src/lib/realtime.ts'
import { Toaster } from '../src/ui/toast.ts'
import { userId } from './fixtures.ts'
import { noLine, type Start } from './render-app.tsx'
import { signedIn } from './render-part.tsx'
import type { StubApi } from './stub-api.ts'

/** A page without the frame of the application, at an address of the window, for somebody signed in. */
export function renderPage(
  page: ReactNode,
  path: string,
  api: StubApi,
  { entry, connect = noLine }: Omit<Start, 'signedIn'> = {},
) {
  window.history.pushState(entry === undefined ? null : { usr: entry, key: 'entry' }, '', path)
  signedIn(api)
  const client = createQueryClient(0)
  onTestFinished(() => client.clear())
  const view = render(
    <RealtimeConnect value={connect}>
      <Providers client={client}>
        <BrowserRouter>
          {page}
          <Suspense>
            <Toaster />
          </Suspense>
        </BrowserRouter>
      </Providers>
    </RealtimeConnect>,
  )
  return { ...view, user: userEvent.setup(), client }
}

/** The orders, followed as the frame of the application follows them. */
function WatchedDashboard() {
  const { data: pharmacy } = useOwnPharmacy()
  const pharmacyId = pharmacy?.id ?? null
  const watch = useOrderWatch({ userId, pharmacyId, onNewOrders: () => undefined })
  return (
    <OrderWatchProvider watch={watch}>
      <Dashboard />
    </OrderWatchProvider>
  )
}

/** The orders without the frame of the application. */
export function renderDashboard(path: string, api: StubApi, start?: Omit<Start, 'signedIn'>) {
  return renderPage(<WatchedDashboard />, path, api, start)
}

/** The offers without the frame of the application. */
export function renderOffers(path: string, api: StubApi, start?: Omit<Start, 'signedIn'>) {
  return renderPage(<Offers />, path, api, start)
}
