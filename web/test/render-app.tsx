import { listSignInMethods } from '@bancone/contract/account'
import { getOrder } from '@bancone/contract/order-details'
import { countOrders, searchOrders, suggestSearch } from '@bancone/contract/order-search'
import { listOrderViews } from '@bancone/contract/order-views'
import {
  dismissOrderNotice,
  listOrders,
  type OrderRecord,
  refreshOrders,
} from '@bancone/contract/orders'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { getPrivacyText } from '@bancone/contract/privacy-texts'
import { getNotice, getSupportContact, initialSettings } from '@bancone/contract/settings'
import { listSupportSessions } from '@bancone/contract/support-sessions'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { BrowserRouter } from 'react-router'
import { onTestFinished } from 'vitest'
import { Providers } from '../src/app/providers.tsx'
import { AppRoutes } from '../src/app/router.tsx'
import { FIRST_PAGE } from '../src/features/orders/data/orders-cache.ts'
import type { OpenChannel } from '../src/lib/channel.ts'
import { createQueryClient } from '../src/lib/query-client.ts'
import { OpenChannelContext } from '../src/lib/realtime.ts'
import { adminSession, pharmacySession } from '../src/lib/session.ts'
import type { Area } from '../src/lib/session-state.ts'
import { storageKeys } from '../src/lib/storage-keys.ts'
import { authError } from './auth-error.ts'
import { countOf, detailsOf, foundPage, pageOf, pharmacy, sessionOf } from './fixtures.ts'
import { dropPendingToasts } from './pending-toasts.tsx'
import { failure, StubApi } from './stub-api.ts'

/** A stub with these orders and the default pharmacy. Later `on` calls take precedence. */
export function serverWith(orders: OrderRecord[]): StubApi {
  return (
    new StubApi()
      .on(getOrder, ({ params }) => {
        const found = orders.find(({ id }) => id === params.recordId)
        return found ? detailsOf(found) : failure('orders.not_found')
      })
      .on(getOwnPharmacy, () => pharmacy)
      .on(getPrivacyText, () => ({
        version: 1,
        text: 'Testo',
        publishedAt: '2026-11-20T10:00:00Z',
      }))
      .on(getSupportContact, () => initialSettings.support)
      .on(getNotice, () => ({ notice: null, changesInSeconds: null }))
      .on(listSupportSessions, () => ({ supportSessions: [] }))
      .on(listSignInMethods, () => ({ providers: [] }))
      .on(listOrders, ({ query }) => pageOf(orders, query))
      .on(searchOrders, ({ body }) => foundPage(orders, body))
      .on(suggestSearch, () => ({ suggestions: [] }))
      .on(countOrders, ({ body }) => countOf(orders, body))
      .on(listOrderViews, () => ({ views: [] }))
      .on(refreshOrders, () => pageOf(orders, FIRST_PAGE).freshness)
      .on(dismissOrderNotice, () => ({}))
      .auth('POST', '/logout', () => new Response(null, { status: 204 }))
      // Called after a 401 to find out whether the session still exists.
      .auth('POST', '/token', () => authError(400, 'refresh_token_not_found'))
  )
}

/** A channel that never connects. */
export const disconnectedChannel: OpenChannel = () => ({
  ensureConnected: () => undefined,
  reconnect: () => undefined,
  close: () => undefined,
})

/** Stores a session in the browser's storage. */
export function storeSession(area: Area = 'pharmacy', session = sessionOf()) {
  localStorage.setItem(storageKeys[area].session, JSON.stringify(session))
}

function stopSessions() {
  pharmacySession.stop()
  adminSession.stop()
}

/** Starts the session stores until the test ends, discarding state from late calls of the previous test. */
export function followSession() {
  stopSessions()
  pharmacySession.start()
  onTestFinished(stopSessions)
}

export type RenderOptions = {
  signedIn?: boolean
  /** State of the current history entry, as after a reload. */
  entry?: unknown
  /** How realtime channels are opened; by default they never connect. */
  openChannel?: OpenChannel
}

/** Renders the whole application at a path, against the stub. */
export function renderApp(path: string, api: StubApi, start: RenderOptions = {}) {
  const { signedIn = true, entry, openChannel = disconnectedChannel } = start
  api.install()
  window.history.pushState(entry === undefined ? null : { usr: entry, key: 'entry' }, '', path)
  if (signedIn) storeSession()
  const client = createQueryClient(0)
  followSession()
  onTestFinished(() => client.clear())
  dropPendingToasts()
  const view = render(
    <OpenChannelContext value={openChannel}>
      <Providers client={client}>
        <BrowserRouter>
          <AppRoutes />
        </BrowserRouter>
      </Providers>
    </OpenChannelContext>,
  )
  return { ...view, user: userEvent.setup(), client }
}
