import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
import type { Database } from '../../../database/database.ts'
import type { AppModule } from '../../../http/app-module.ts'
import type { Context } from '../../../platform/context.ts'
import type { Events } from '../../../platform/events.ts'
import type { PageRenderers } from '../../../ports/page-renderer.ts'
import { createPriorityDisplaysStore } from '../priority-displays.store.ts'
import { createPriorityLinksStore } from '../priority-links.store.ts'
import { createPrioritySettingsStore } from '../priority-settings.store.ts'
import { customerPageRoutes, customerRoutes, customerStreamRoutes } from './customer.routes.ts'
import {
  type CustomerPharmacy,
  createCustomerSessions,
  customerLimits,
} from './customer.service.ts'
import { createCustomerPages } from './customer-pages.ts'
import { createCustomerSessionsStore } from './customer-sessions.store.ts'
import { createCustomerStreams } from './customer-streams.ts'

type Dependencies = Context & {
  events: Events
  pharmacy(code: string): Promise<CustomerPharmacy | undefined>
  profile(pharmacyId: string, today: string): Promise<PublicProfile | null>
  callNumber(phone: string | null): Promise<string | null>
  /** Undefined when no pages are built. */
  renderer: PageRenderers['priority']
  /** Further work of the transaction in which a customer arrives. */
  onArrived(tx: Database, pharmacyId: string): Promise<void>
}

/** Wires what customers with priority access see and do, and the screens in the room. */
export function wirePriorityCustomer({
  db,
  events,
  renderer,
  callNumber,
  limits,
  onArrived,
  log,
  ...common
}: Dependencies): AppModule {
  const store = createCustomerSessionsStore(db, onArrived)
  const displays = createPriorityDisplaysStore(db)
  const links = createPriorityLinksStore(db)
  const settings = createPrioritySettingsStore(db)
  const sessions = createCustomerSessions({
    ...common,
    store,
    displays,
    limits: limits(customerLimits),
    async beginSession(pharmacyId, orderId) {
      const { linkDays } = await settings.of(pharmacyId)
      const begun = await links.issue(pharmacyId, orderId, linkDays, { source: 'customer' })
      return begun?.token
    },
  })
  const streams = createCustomerStreams({ store, displays, events, clock: common.clock, log })
  const { takePage } = sessions
  const pages =
    renderer &&
    createCustomerPages({ ...common, renderer, callNumber, takePage, statusOf: store.statusOf })
  return {
    routes({ app, serve }) {
      customerRoutes(serve, sessions)
      customerStreamRoutes(app, sessions, streams)
      if (pages) customerPageRoutes(app, pages)
    },
    close: streams.close,
  }
}
