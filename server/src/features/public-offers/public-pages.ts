import { publicOffersPath } from '@bancone/contract/pages'
import {
  NO_SEARCH,
  type PublicOffers,
  type PublicPage,
  toSearchParams,
} from '@bancone/contract/public-offers'
import { type CompressedText, compressText } from '../../http/compressed-texts.ts'
import { createBoundedQueue } from '../../platform/bounded-queue.ts'
import { createCache } from '../../platform/cache.ts'
import { TooManyRequests } from '../../platform/rate-limits.ts'
import type { PageRenderer } from '../../ports/page-renderer.ts'
import type { CacheEntry, CacheRead, OffersCache } from './offers-cache.ts'
import {
  GONE,
  type PageRequest,
  type PageTarget,
  pageStatus,
  targetOf,
} from './public-offers.rules.ts'
import { shareImagePath } from './share/share-images.service.ts'

/** Bytes of cached pages, compressed: the first pages of about 400 pharmacies. */
const CACHE_BYTES = 12 * 1024 * 1024

/** Concurrent renderings, so that the process stays responsive. */
const RENDER_CONCURRENCY = 2

/** Maximum queue of renderings: searches, which clients can make up freely, and linked pages. */
const MAX_WAITING = 100

/** `entry`: what it was rendered from; null for a page without a pharmacy. */
export type RenderedPage = CompressedText & { status: number; entry: CacheEntry | null }

/** A page, or the URL to redirect to. */
export type FoundPage = RenderedPage | { movedTo: string }

type Dependencies = {
  offersCache: OffersCache
  renderer: PageRenderer<PublicPage>
  /** Base URL of the application, without a slash at its end. */
  publicUrl: string
  log: { warn(details: object, message: string): void }
  /** Bytes of cached pages, if not the default. */
  maxBytes?: number
}

export type PublicPages = ReturnType<typeof createPublicPages>

/** The public pages: rendered once, then sent from memory while the cache entry of their offers is fresh. */
export function createPublicPages(dependencies: Dependencies) {
  const { offersCache, renderer, publicUrl, log, maxBytes } = dependencies
  // A page is valid for the entry that it was rendered from, unless that has become stale meanwhile.
  const pages = createCache<RenderedPage>({
    max: maxBytes ?? CACHE_BYTES,
    sizeOf: ({ entry, br, gzip }) =>
      entry && !offersCache.isFresh(entry) ? 0 : br.byteLength + gzip.byteLength + 1024,
  })
  const inTurn = createBoundedQueue({ concurrency: RENDER_CONCURRENCY, maxWaiting: MAX_WAITING })

  async function render(
    content: PublicOffers | null,
    { offerId, search }: Omit<PageTarget, 'key'>,
  ): Promise<CompressedText> {
    const shareImage = content && shareImagePath(content, offerId)
    return compressText(await renderer.render({ content, search, offerId, publicUrl, shareImage }))
  }

  /**
   * A page without a pharmacy. It is rendered once a day, or made-up codes and an outage would cost a rendering each.
   * @param content null when nothing could be loaded
   */
  async function errorPage(content: PublicOffers | null): Promise<RenderedPage> {
    // No path of a page begins like this.
    const key = `error ${content?.day} ${content?.error}`
    const renderError = async () => {
      const text = await render(content, { offerId: null, search: NO_SEARCH })
      return { ...text, status: content ? pageStatus(content.error) : 503, entry: null }
    }
    return pages.get(key) ?? pages.load(key, renderError)
  }

  /** Concurrent callers share one rendering. When the queue is full, the error page is returned. */
  function renderOnce(content: PublicOffers, entry: CacheEntry, target: PageTarget) {
    const priority = toSearchParams(target.search).size === 0 ? 1 : 0
    const renderTarget = async () => {
      const status = target.offerId === GONE ? 404 : entry.status
      return { ...(await render(content, target)), status, entry }
    }
    const enqueue = () => inTurn(renderTarget, { priority })
    return pages.load(target.key, enqueue, entry).catch((error: unknown) => {
      if (error instanceof TooManyRequests) return errorPage(null)
      throw error
    })
  }

  /** The answer without any reading, if it is fresh. */
  function cached(asked: PageRequest): FoundPage | undefined {
    const entry = offersCache.fresh(asked.code)
    return entry && (movedTo(entry, asked) ?? pages.get(targetOf(entry, asked).key, entry))
  }

  return {
    cached,

    /** The answer after the offers were read. @throws when they cannot be, and no stale page may be sent */
    async load(asked: PageRequest): Promise<FoundPage> {
      let read: CacheRead
      try {
        read = await offersCache.revalidate(asked.code)
      } catch (error) {
        offersCache.extendAfterError(asked.code)
        const stale = cached(asked)
        if (!stale) throw error
        log.warn({ err: error }, 'a public page is shown as it was')
        return stale
      }
      const { content, entry } = read
      if (!entry) return errorPage(content)
      const page = movedTo(entry, asked) ?? cached(asked)
      return page ?? renderOnce(content, entry, targetOf(entry, asked))
    },

    /** The page shown when the content could not be loaded. */
    loadErrorPage: (): Promise<RenderedPage> => errorPage(null),
  }
}

/** Where the page is, if the request is not written as its URL is. */
function movedTo({ code }: CacheEntry, asked: PageRequest): FoundPage | undefined {
  const { offerId, query } = asked
  if (asked.code === code && asked.isCanonical) return undefined
  const path = publicOffersPath(code, offerId === null ? undefined : encodeURIComponent(offerId))
  return { movedTo: query === '' ? path : `${path}?${query}` }
}
