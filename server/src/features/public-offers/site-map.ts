import { dayOf } from '@bancone/contract/dates'
import { publicOffersPath } from '@bancone/contract/pages'
import { escapeHtml } from '../../platform/html.ts'
import type { Clock } from '../../ports/clock.ts'
import { type CompressedText, compressText } from './compressed-texts.ts'
import { endOfDay } from './public-offers.rules.ts'
import type { SiteMapStore, SitePage } from './site-map.store.ts'

/** Maximum number of URLs of a file, by the protocol. */
const MAX_PAGES = 50_000

const REMEMBERED_MS = 60_000

type Dependencies = {
  store: SiteMapStore
  /** Base URL of the application, without a slash at its end. */
  publicUrl: string
  clock: Clock
}

export type SiteMap = ReturnType<typeof createSiteMap>

/** Site map of the public pages, and `robots.txt`. */
export function createSiteMap({ store, publicUrl, clock }: Dependencies) {
  let last: { until: number; done: Promise<CompressedText> } | undefined

  async function make(now: number): Promise<CompressedText> {
    return compressText(siteMapText(await store.list(dayOf(now), MAX_PAGES), publicUrl))
  }

  return {
    /** The site map; built at most once a minute, unless something changes. */
    pages(): Promise<CompressedText> {
      const now = clock.now()
      if (last && now < last.until) return last.done
      const until = Math.min(now + REMEMBERED_MS, endOfDay(dayOf(now)))
      const made = { until, done: make(now) }
      made.done.catch(() => {
        if (last === made) last = undefined
      })
      last = made
      return made.done
    },

    /** The set of pages has changed. */
    invalidate(): void {
      last = undefined
    },

    /** What crawlers may read: the public pages, and the files they consist of. */
    robots: (): string => robotsText(publicUrl),
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

function robotsText(publicUrl: string): string {
  return [
    'User-agent: *',
    ...READABLE.map((path) => `Allow: ${path}`),
    'Disallow: /',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n')
}
