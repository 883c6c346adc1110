import { dayOf } from '@bancone/contract/dates'
import { publicOffersPath } from '@bancone/contract/pages'
import { escaped } from '../../platform/html.ts'
import type { Clock } from '../../ports/clock.ts'
import { type FinishedText, finishText } from './finished-texts.ts'
import { endOfDay } from './public-offers.rules.ts'
import type { SiteMapStore, SitePage } from './site-map.store.ts'

/** What a file may list, by the protocol. */
const MOST_PAGES = 50_000

const REMEMBERED_MS = 60_000

type Dependencies = {
  store: SiteMapStore
  /** Where the application is reached, without a slash at its end. */
  publicUrl: string
  clock: Clock
}

export type SiteMap = ReturnType<typeof createSiteMap>

/** What tells search engines of the public pages. */
export function createSiteMap({ store, publicUrl, clock }: Dependencies) {
  let last: { until: number; done: Promise<FinishedText> } | undefined

  async function make(now: number): Promise<FinishedText> {
    return finishText(siteMapText(await store.list(dayOf(now), MOST_PAGES), publicUrl))
  }

  return {
    /** Those that there are; made once in a minute at most, unless something changes. */
    pages(): Promise<FinishedText> {
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

    /** What they are has changed. */
    forget(): void {
      last = undefined
    },

    /** What programs that follow links may read: the public pages, and what these are made of. */
    robots: (): string => robotsText(publicUrl),
  }
}

export function siteMapText(pages: readonly SitePage[], publicUrl: string): string {
  const listed = pages.map(({ code, offerId, changedAt }) => {
    const path = publicOffersPath(code, offerId ?? undefined)
    return `<url><loc>${escaped(publicUrl + path)}</loc><lastmod>${changedAt}</lastmod></url>\n`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n',
    ...listed,
    '</urlset>\n',
  ].join('')
}

/** The longest rule that fits decides. */
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
