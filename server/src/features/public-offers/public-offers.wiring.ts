import { listPublicOffers, type PublicOffers } from '@bancone/contract/public-offers'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import type { Events } from '../../platform/events.ts'
import { createOutbound } from '../../platform/outbound.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageRenderers } from '../../ports/page-renderer.ts'
import type { CardRenderer } from '../../ports/share-card.ts'
import { type CacheEntry, createOffersCache } from './offers-cache.ts'
import { type OnRequested, publicPageRoutes } from './public-offers.routes.ts'
import { createPublicOffers, type PublicOffersSources } from './public-offers.service.ts'
import { createPublicPages } from './public-pages.ts'
import { shareImageRoutes } from './share/share-images.routes.ts'
import { createShareImages } from './share/share-images.service.ts'
import { createSharePhotos, type StoredPictures } from './share/share-photos.ts'
import { createSiteMap, siteMapRoutes } from './site-map.routes.ts'
import { createSiteMapStore } from './site-map.store.ts'

type Dependencies = PublicOffersSources & {
  storedPicture: StoredPictures
  cards: CardRenderer
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  /** Origins from which pictures of products may be loaded. */
  pictureOrigins: readonly string[]
  db: Database
  events: Events
  /** Undefined when no pages are built. */
  renderer: PageRenderers['offers']
  onRequested: OnRequested
  publicUrl: string
  clock: Clock
  log: { warn(details: object, message: string): void }
}

/** Wires the public pages, their invalidation, and the preview pictures of their links. */
export function wirePublicOffers({
  db,
  events,
  renderer,
  onRequested,
  log,
  storedPicture,
  cards,
  temporaryFiles,
  pictureOrigins,
  ...rest
}: Dependencies): AppModule & {
  content(code: string): Promise<PublicOffers>
  /** What the cache knows of the pharmacy with a code; null when it does not exist. */
  pharmacyOfPage(code: string): Promise<CacheEntry | null>
} {
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
  const content = async (code: string) => (await offersCache.revalidate(code)).content
  const pages = renderer && createPublicPages({ offersCache, renderer, publicUrl, log })
  const outbound = createOutbound({ allow: pictureOrigins })
  const photos = createSharePhotos({ storedPicture, fetch: outbound.fetch, temporaryFiles })
  const shareImages = createShareImages({ content, photos, cards, temporaryFiles, log })
  return {
    content,
    pharmacyOfPage: async (code) =>
      offersCache.fresh(code) ?? (await offersCache.revalidate(code)).entry,
    routes({ app, serve }) {
      serve(listPublicOffers, ({ params }) => content(params.pharmacyId))
      if (pages) publicPageRoutes(app, { pages, clock, onRequested })
      siteMapRoutes(app, siteMap)
      shareImageRoutes(app, shareImages)
    },
    close: () => outbound.close(),
  }
}
