import { listSignInMethods } from '@bancone/contract/account'
import { getOrder } from '@bancone/contract/order-details'
import { countOrders, searchOrders } from '@bancone/contract/order-search'
import { listOrderViews } from '@bancone/contract/order-views'
import {
  dismissOrderNotice,
  listOrders,
  type OrderRecord,
  refreshOrders,
} from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter } from 'react-router'
import { onTestFinished } from 'vitest'
import { Providers } from '../src/app/providers.tsx'
import { AppRoutes } from '../src/app/router.tsx'
import { FIRST_PAGE } from '../src/features/orders/orders-cache.ts'
import type { Connect } from '../src/lib/line.ts'
import { createQueryClient } from '../src/lib/query-client.ts'
import { RealtimeConnect } from '../src/lib/realtime.ts'
import { adminSession, pharmacySession } from '../src/lib/session.ts'
import type { Area } from '../src/lib/session-state.ts'
import { storageKeys } from '../src/lib/storage-keys.ts'
import { authError } from './auth-error.ts'
import { countOf, detailsOf, foundPage, pageOf, pharmacy, sessionOf } from './fixtures.ts'
import { failure, StubApi } from './stub-api.ts'

/** A server with these orders and the usual pharmacy. Later `on` calls take precedence. */
export function serverWith(orders: OrderRecord[]): StubApi {
  return (
    new StubApi()
      .on(getOrder, ({ params }) => {
        const found = orders.find(({ id }) => id === params.recordId)
        return found ? detailsOf(found) : failure('orders.not_found')
      })
      .on(getOwnPharmacy, () => pharmacy)
      .on(listSignInMethods, () => ({ providers: [] }))
      .on(listOrders, ({ query }) => pageOf(orders, query))
      .on(searchOrders, ({ body }) => foundPage(orders, body))
      .on(countOrders, ({ body }) => countOf(orders, body))
      .on(listOrderViews, () => ({ views: [] }))
      .on(refreshOrders, () => pageOf(orders, FIRST_PAGE).freshness)
      .on(dismissOrderNotice, () => ({}))
      .auth('POST', '/logout', () => new Response(null, { status: 204 }))
      // Who is refused by the API asks here whether the session lives.
      .auth('POST', '/token', () => authError(400, 'refresh_token_not_found'))
  )
}

/** The line of a page that hears of nothing. */
export const noLine: Connect = () => ({
  check: () => undefined,
  renew: () => undefined,
  close: () => undefined,
})

/** Puts a session where the browser keeps it. */
export function storeSession(area: Area = 'pharmacy', session = sessionOf()) {
  localStorage.setItem(storageKeys[area].session, JSON.stringify(session))
}

function stopSessions() {
  pharmacySession.stop()
  adminSession.stop()
}

/** Follows the session until the test ends. What late calls of the test before have said of it is forgotten. */
export function followSession() {
  stopSessions()
  pharmacySession.start()
  onTestFinished(stopSessions)
}

export type Start = {
  signedIn?: boolean
  /** What the history entry holds already, as after a reload. */
  entry?: unknown
  /** How its line to the server is opened; one that is never there otherwise. */
  connect?: Connect
}

/** The whole application at an address, over the stub, with the session followed. */
export function renderApp(path: string, api: StubApi, start: Start = {}) {
  const { signedIn = true, entry, connect = noLine } = start
  api.install()
  window.history.pushState(entry === undefined ? null : { usr: entry, key: 'entry' }, '', path)
  if (signedIn) storeSession()
  const client = createQueryClient(0)
  followSession()
  onTestFinished(() => client.clear())
  const view = render(
    <RealtimeConnect value={connect}>
      <Providers client={client}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </Providers>
    </RealtimeConnect>,
  )
  return { ...view, user: userEvent.setup(), client }
}
