import { dayOf } from '@bancone/contract/dates'
import { publicOffersPath } from '@bancone/contract/pages'
import type { FastifyInstance } from 'fastify'
import { type CompressedText, compressText, sendCompressed } from '../../http/compressed-texts.ts'
import { createCache } from '../../platform/cache.ts'
import { escapeHtml } from '../../platform/html.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SiteMapStore, SitePage } from './site-map.store.ts'

/** Maximum number of URLs of a file, by the protocol. */
const MAX_PAGES = 50_000

const CACHE_MS = 60_000

type Dependencies = {
  store: SiteMapStore
  /** Base URL of the application, without a slash at its end. */
  publicUrl: string
  clock: Clock
}

/** Site map of the public pages, and `robots.txt`. */
export function createSiteMap({ store, publicUrl, clock }: Dependencies) {
  const cache = createCache<CompressedText>({ max: 1, ttlMs: CACHE_MS })

  return {
    /** The site map; built at most once a minute, unless something changes. */
    async pages(): Promise<CompressedText> {
      const day = dayOf(clock.now())
      const make = async () =>
        compressText(siteMapText(await store.list(day, MAX_PAGES), publicUrl))
      return cache.get('', day) ?? cache.load('', make, day)
    },

    /** The set of pages has changed. */
    invalidate: (): void => cache.invalidate(),

    /** What crawlers may read: the public pages, and the files they consist of. */
    robots: (): string =>
      [
        'User-agent: *',
        ...READABLE.map((path) => `Allow: ${path}`),
        'Disallow: /',
        '',
        `Sitemap: ${publicUrl}/sitemap.xml`,
        '',
      ].join('\n'),
  }
}

export function siteMapText(pages: readonly SitePage[], publicUrl: string): string {
  const listed = pages.map(({ code, offerId, changedAt }) => {
    const path = publicOffersPath(code, offerId ?? undefined)
    return `<url><loc>${escapeHtml(publicUrl + path)}</loc><lastmod>${changedAt}</lastmod></url>\n`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
    ...listed,
    '</urlset>\n',
  ].join('')
}

/** The longest matching rule applies. */
const READABLE = [
  '/offers/',
  '/share/',
  '/images/',
  '/assets/',
  '/icons/',
  '/favicon.svg',
  '/product-placeholder.svg',
  '/sitemap.xml',
  '/api/public/',
]

/** Routes for search engines. */
export function siteMapRoutes(app: FastifyInstance, siteMap: ReturnType<typeof createSiteMap>) {
  app.get('/robots.txt', (_request, reply) =>
    reply
      .header('Cache-Control', 'public, max-age=3600')
      .type('text/plain; charset=utf-8')
      .send(siteMap.robots()),
  )

  app.get('/sitemap.xml', async (_request, reply) => {
    reply.header('Cache-Control', 'public, max-age=60')
    return sendCompressed(reply, 'application/xml', await siteMap.pages())
  })
}
