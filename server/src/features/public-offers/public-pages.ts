import { dayOf } from '@bancone/contract/dates'
import { publicOffersPath } from '@bancone/contract/pages'
import type {
  PublicOffers,
  PublicOffersError,
  PublicOffersSearch,
  PublicPage,
} from '@bancone/contract/public-offers'
import { LRUCache } from 'lru-cache'
import { type CompressedText, compressText } from '../../http/compressed-texts.ts'
import { createBoundedQueue, QueueFull } from '../../platform/bounded-queue.ts'
import { createSingleFlight } from '../../platform/cache.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import type { CacheEntry, CacheRead, OffersCache } from './offers-cache.ts'
import {
  cacheKey,
  cacheKeyOfUrl,
  isPharmacyCode,
  NO_SEARCH,
  noOffers,
  openedOffer,
  type PageRequest,
  pageStatus,
  readSearch,
  withKnownCategory,
} from './public-offers.rules.ts'
import { shareImagePath } from './share/share-images.service.ts'

/** Bytes of cached pages, compressed: the first pages of about 400 pharmacies. */
const CACHE_BYTES = 12 * 1024 * 1024

/** Concurrent renderings, so that the process stays responsive. */
const RENDER_CONCURRENCY = 2

/** Maximum queue of renderings: searches, which clients can make up freely, and linked pages. */
const MAX_WAITING = 100

/** `until`: when its day ends; null for a page that does not depend on the day. */
export type RenderedPage = CompressedText & { status: number; until: number | null }

/** A page, or the path to redirect to. */
export type FoundPage = { page: RenderedPage } | { movedTo: string }

/** The part of the offers that a page shows. `offer`: '' for one that is not published. */
type PageVariant = { offer: string | null; search: PublicOffersSearch | null }

/** The part of a pharmacy's pages that is requested, and its cache key. */
type PageTarget = PageVariant & { key: string }

type Dependencies = {
  offersCache: OffersCache
  renderer: PageRenderer<PublicPage>
  /** Base URL of the application, without a slash at its end. */
  publicUrl: string
  clock: Clock
  log: { warn(details: object, message: string): void }
  /** Bytes of cached pages, if not the default. */
  maxBytes?: number
}

export type PublicPages = ReturnType<typeof createPublicPages>

/** The public pages: rendered once, then served from memory until their content changes. */
export function createPublicPages({
  offersCache,
  renderer,
  publicUrl,
  clock,
  log,
  maxBytes,
}: Dependencies) {
  const pages = new LRUCache<string, { page: RenderedPage; entry: CacheEntry | null }>({
    maxSize: maxBytes ?? CACHE_BYTES,
    sizeCalculation: ({ page: { br, gzip } }) => br.byteLength + gzip.byteLength + 1024,
  })
  const renderings = createSingleFlight<RenderedPage>()
  const inTurn = createBoundedQueue({ concurrency: RENDER_CONCURRENCY, maxWaiting: MAX_WAITING })

  /** The cached page, if it is still valid. */
  function cachedPage(key: string): RenderedPage | undefined {
    const known = pages.get(key)
    return known?.entry && offersCache.isFresh(known.entry) ? known.page : undefined
  }

  async function render(
    content: PublicOffers | null,
    { offer, search }: PageVariant,
  ): Promise<CompressedText> {
    const shareImage = content && shareImagePath(content, offer || null)
    const page = { content, search: search ?? NO_SEARCH, offerId: offer, publicUrl, shareImage }
    return compressText(await renderer.render(page))
  }

  /**
   * An error page without a pharmacy. It is rendered once a day, or made-up codes and an outage would cost a rendering
   * each.
   * @param why null when nothing could be loaded
   */
  async function errorPage(why: PublicOffersError | null): Promise<RenderedPage> {
    const day = dayOf(clock.now())
    // No path of a page begins like this.
    const key = `error ${day} ${why}`
    const renderError = async () => {
      const text = await render(why && noOffers(day, why, null), { offer: null, search: null })
      const page = { ...text, status: why === null ? 503 : pageStatus(why), until: null }
      pages.set(key, { page, entry: null })
      return page
    }
    return pages.get(key)?.page ?? renderings.run(key, renderError)
  }

  /** Concurrent callers share one rendering. When the queue is full, the error page is returned. */
  function renderOnce(
    content: PublicOffers,
    entry: CacheEntry,
    target: PageTarget,
  ): Promise<RenderedPage> {
    const priority = target.search === null ? 1 : 0
    const renderTarget = async () => {
      const status = target.offer === '' ? 404 : entry.status
      const page = { ...(await render(content, target)), status, until: entry.until }
      if (offersCache.isCurrent(entry)) pages.set(target.key, { page, entry })
      return page
    }
    const enqueue = () =>
      inTurn(renderTarget, { priority }).catch((error: unknown) => {
        if (error instanceof QueueFull) return errorPage(null)
        throw error
      })
    return renderings.run(target.key, enqueue, entry)
  }

  /** The answer from the cache without any reading, if it is valid. */
  function fromCache(entry: CacheEntry, asked: PageRequest): FoundPage | undefined {
    if (!offersCache.isFresh(entry)) return undefined
    if (entry.code !== asked.code || !asked.isCanonical) return movedTo(entry, asked)
    const page = cachedPage(targetOf(entry, asked).key)
    return page && { page }
  }

  async function find(asked: PageRequest): Promise<FoundPage> {
    const { code } = asked
    if (!isPharmacyCode(code)) return { page: await errorPage('ID farmacia non valido') }
    const last = offersCache.get(code)
    const found = last && fromCache(last, asked)
    if (found) return found
    let read: CacheRead
    try {
      read = await offersCache.read(code)
    } catch (error) {
      const stale = last && offersCache.mayServeStale(last) && fromCache(last, asked)
      if (!stale) throw error
      log.warn({ err: error }, 'a public page is shown as it was')
      return stale
    }
    const { content, entry } = read
    if (!entry) return { page: await errorPage('Farmacia non trovata') }
    if (entry.code !== code || !asked.isCanonical) return movedTo(entry, asked)
    const target = targetOf(entry, asked)
    return { page: cachedPage(target.key) ?? (await renderOnce(content, entry, target)) }
  }

  return {
    now: (): number => clock.now(),

    /** The cached page of a requested URL. */
    cached: (url: string): RenderedPage | undefined => cachedPage(cacheKeyOfUrl(url)),

    find,

    /** The page shown when the content could not be loaded. */
    loadErrorPage: (): Promise<RenderedPage> => errorPage(null),
  }
}

function movedTo({ code }: CacheEntry, { offerId }: PageRequest): FoundPage {
  const path = publicOffersPath(code)
  return { movedTo: offerId === null ? path : `${path}/${encodeURIComponent(offerId)}` }
}

/** Without offers all URLs of a pharmacy show the same page. */
function targetOf(
  { code, status, offerIds, categories }: CacheEntry,
  { offerId, query }: PageRequest,
): PageTarget {
  const isShown = status === 200
  const offer = isShown ? openedOffer(offerIds, offerId) : null
  const search = isShown ? withKnownCategory(readSearch(query), categories) : null
  return { key: cacheKey(code, offer, search), offer, search }
}
