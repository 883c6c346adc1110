import type { Database } from '../../database/database.ts'
import type { Events } from '../../platform/events.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import { createDrawnPages } from './drawn-pages.ts'
import { createStandings } from './page-standings.ts'
import {
  createPublicOffers,
  type PublicOffersService,
  type PublicOffersSources,
} from './public-offers.service.ts'
import { createPublicPages } from './public-pages.ts'
import { createSiteMapStore } from './site-map.store.ts'
import { createSiteMap } from './site-map.ts'

type Dependencies = PublicOffersSources & {
  db: Database
  events: Events
  /** Undefined where no pages are built. */
  renderer: PageRenderer | undefined
  publicUrl: string
  clock: Clock
  log: { warn(details: object, message: string): void }
}

/** Puts together what everybody is shown, and tells it of changes. */
export function wirePublicOffers({ db, events, renderer, log, ...rest }: Dependencies) {
  const offers = createPublicOffers(rest)
  const { clock, publicUrl } = rest
  const siteMap = createSiteMap({ store: createSiteMapStore(db), publicUrl, clock })
  const standings = createStandings({
    read: offers.found,
    deafFor: events.deafFor,
    clock,
  })
  const changed = (pharmacyId: string) => {
    standings.doubt(pharmacyId)
    siteMap.forget()
  }
  events.on('offers_changed', changed)
  events.onMissed(() => changed(''))
  const drawn = renderer && createDrawnPages({ renderer, publicUrl, clock })
  // Once for all who ask at the same time, pages among them.
  const publicOffers: PublicOffersService = {
    content: async (code) => (await standings.read(code)).content,
  }
  return {
    services: {
      publicOffers,
      publicPages: drawn && createPublicPages({ standings, drawn, clock, log }),
      siteMap,
    },
  }
}
