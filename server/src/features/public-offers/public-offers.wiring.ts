import { listPublicOffers, type PublicOffers } from '@bancone/contract/public-offers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../base/app-error.ts'
import type { Database } from '../../database/database.ts'
import type { AppModule } from '../../http/app-module.ts'
import { sendCompressed } from '../../http/compressed-texts.ts'
import { matchesEtag } from '../../platform/browser-call.ts'
import type { Events } from '../../platform/events.ts'
import { createOutbound } from '../../platform/outbound.ts'
import { logFailure } from '../../platform/request-log.ts'
import type { TemporaryFiles } from '../../platform/temporary-files.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageRenderers } from '../../ports/page-renderer.ts'
import type { CardRenderer } from '../../ports/share-card.ts'
import { type CacheEntry, createOffersCache } from './offers-cache.ts'
import { cacheControl, type PageRequest, parsePageUrl } from './public-offers.rules.ts'
import { createPublicOffers, type PublicOffersSources } from './public-offers.service.ts'
import { createPublicPages, type FoundPage, type PublicPages } from './public-pages.ts'
import {
  createShareImages,
  type ShareImage,
  type ShareImages,
} from './share/share-images.service.ts'
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
      serve(listPublicOffers, ({ params }) => content(params.pharmacyCode))
      if (pages) publicPageRoutes(app, { pages, clock, onRequested })
      siteMapRoutes(app, siteMap)
      shareImageRoutes(app, shareImages)
    },
    close: () => outbound.close(),
  }
}

/** A redirect is cached briefly, because the spelling may become another pharmacy's code. */
const MOVED = 'public, max-age=0, s-maxage=10'

/** Seconds for `Retry-After`. */
const RETRY_AFTER = '5'

/** Called when a page of a pharmacy is sent. */
type OnRequested = (
  pharmacy: Pick<CacheEntry, 'pharmacyId' | 'isCounting'>,
  headers: FastifyRequest['headers'],
) => void

type PageSources = { pages: PublicPages; clock: Clock; onRequested: OnRequested }

/** The pages `/offers/{code}` and `/offers/{code}/{offerId}`; other paths below belong to the web application. */
function publicPageRoutes(app: FastifyInstance, { pages, clock, onRequested }: PageSources) {
  // Not async: promises cost a noticeable part of the time of a page from memory.
  app.get('/offers/*', (request, reply) => {
    const asked = parsePageUrl(request.url)
    if (!asked) return reply.callNotFound()
    const found = pages.cached(asked)
    return found ? send(reply, found) : load(asked, reply)
  })

  async function load(asked: PageRequest, reply: FastifyReply) {
    const found = await pages.load(asked).catch((error: unknown) => {
      logFailure(reply.request, error)
    })
    return send(reply, found ?? (await pages.loadErrorPage()))
  }

  function send(reply: FastifyReply, found: FoundPage) {
    if ('movedTo' in found) {
      reply.header('Vary', 'Accept-Encoding').header('Cache-Control', MOVED)
      return reply.redirect(found.movedTo, 301)
    }
    const { status, entry } = found
    const { method, headers } = reply.request
    if (status === 200 && entry && method === 'GET') onRequested(entry, headers)
    reply.code(status)
    reply.header('Cache-Control', cacheControl(status, entry?.until ?? null, clock.now()))
    if (status === 503) reply.header('Retry-After', RETRY_AFTER)
    return sendCompressed(reply, 'text/html', found)
  }
}

/** Static picture of the web application, for when none can be rendered. */
const PLAIN_SHARE_IMAGE = '/share/offers.jpg'

/** It is never executed, and any site may embed it. */
const headers = {
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

const NAME = /^([\w-]{12})\.jpg$/

/** Public routes of the preview pictures, which chats fetch without a session. */
export function shareImageRoutes(app: FastifyInstance, images: Pick<ShareImages, 'find'>) {
  async function answer(
    { code, offerId, name }: { code: string; offerId: string | null; name: string },
    reply: FastifyReply,
  ) {
    const [, version] = NAME.exec(name) ?? []
    const found = version === undefined ? 'gone' : await images.find({ code, offerId, version })
    if (found === 'gone') throw new AppError('route.not_found')
    if (!found) return reply.header('Cache-Control', 'no-store').redirect(PLAIN_SHARE_IMAGE, 302)
    return sendImage(reply, found)
  }

  app.get<{ Params: { code: string; name: string } }>(
    '/share/offers/:code/:name',
    ({ params }, reply) => answer({ ...params, offerId: null }, reply),
  )
  app.get<{ Params: { code: string; offerId: string; name: string } }>(
    '/share/offers/:code/:offerId/:name',
    ({ params }, reply) => answer(params, reply),
  )
}

function sendImage(reply: FastifyReply, { bytes, tag, isLasting }: ShareImage) {
  const kept = isLasting ? 'public, max-age=31536000, immutable' : 'public, max-age=60'
  reply.headers(headers).header('Cache-Control', kept).header('ETag', tag)
  if (matchesEtag(reply.request.headers['if-none-match'], tag)) return reply.code(304).send()
  return reply.type('image/jpeg').send(bytes)
}
