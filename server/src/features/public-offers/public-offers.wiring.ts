import type { AppModule } from '../../app-module.ts'
import type { Database } from '../../database/database.ts'
import type { Events } from '../../platform/events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import { createOffersCache } from './offers-cache.ts'
import { type OnRequested, publicOffersRoutes, publicPageRoutes } from './public-offers.routes.ts'
import {
  createPublicOffers,
  type PublicOffersService,
  type PublicOffersSources,
} from './public-offers.service.ts'
import { createPublicPages } from './public-pages.ts'
import { createSiteMap, siteMapRoutes } from './site-map.routes.ts'
import { createSiteMapStore } from './site-map.store.ts'

type Dependencies = PublicOffersSources & {
  db: Database
  events: Events
  /** Undefined when no pages are built. */
  renderer: PageRenderer | undefined
  onRequested: OnRequested
  publicUrl: string
  clock: Clock
  log: { warn(details: object, message: string): void }
}

/** Wires the public pages and their invalidation. */
export function wirePublicOffers({
  db,
  events,
  renderer,
  onRequested,
  log,
  ...rest
}: Dependencies): AppModule & PublicOffersService {
  const offers = createPublicOffers(rest)
  const { clock, publicUrl } = rest
  const siteMap = createSiteMap({ store: createSiteMapStore(db), publicUrl, clock })
  const offersCache = createOffersCache({
    read: offers.findOffers,
    disconnectedMs: events.disconnectedMs,
    clock,
  })
  const changed = (pharmacyId?: string) => {
    offersCache.invalidate(pharmacyId)
    siteMap.invalidate()
  }
  // An empty id means all pharmacies.
  events.on('offers_changed', (id) => changed(id === '' ? undefined : id))
  events.onMissed(() => changed())
  // Concurrent callers share one reading, pages included.
  const publicOffers: PublicOffersService = {
    content: async (code) => (await offersCache.read(code)).content,
  }
  const publicPages =
    renderer && createPublicPages({ offersCache, renderer, publicUrl, clock, log })
  return {
    content: publicOffers.content,
    routes({ app, serve }) {
      publicOffersRoutes(serve, publicOffers)
      if (publicPages) publicPageRoutes(app, publicPages, onRequested)
      siteMapRoutes(app, siteMap)
    },
  }
}
