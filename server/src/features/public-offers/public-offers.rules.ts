import type { Day } from '@bancone/contract/dates'
import { parseOffersPath, publicOffersPath } from '@bancone/contract/pages'
import {
  effectiveSearch,
  NO_SEARCH,
  type PublicOffers,
  type PublicOffersError,
  type PublicOffersSearch,
  type PublicPharmacy,
  parseSearch,
  toSearchParams,
} from '@bancone/contract/public-offers'

const LONGEST_CODE = 100
const OFFER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Whether the text can be a pharmacy's code: the database cannot store it otherwise, or it is unreadable. */
export function isPharmacyCode(code: string): boolean {
  return /^[^\p{Cc}\p{Cs}]+$/u.test(code) && code.trim() !== '' && code.length <= LONGEST_CODE
}

/** HTTP status of a page. */
export function pageStatus(error: PublicOffersError | undefined): number {
  switch (error) {
    case undefined:
      return 200
    case 'ID farmacia non valido':
    case 'Farmacia non trovata':
      return 404
    case 'Farmacia non attiva':
    case 'Funzionalità offerte non disponibile':
      return 403
  }
}

/** `isCanonical`: written as the application's own links are, regardless of the code. */
export type PageRequest = {
  code: string
  offerId: string | null
  query: string
  isCanonical: boolean
}

/** Parses the URL of a page; undefined when it is none. The code may be empty or not exist. */
export function parsePageUrl(url: string): PageRequest | undefined {
  const [path = '', ...rest] = url.split('?')
  const page = parseOffersPath(path)
  if (!page) return undefined
  const { offerId: id } = page
  const isCanonical =
    id === null ? !path.endsWith('/') : path.endsWith(`/${id}`) || !OFFER_ID.test(id)
  return { ...page, query: rest.join('?'), isCanonical }
}

/** Stands for every offer that is not published, so that made-up ids share one page. */
export const GONE = ''

/** What a page shows of the offers, and the key of the page: its path, and its search in a fixed order. */
export type PageTarget = { offerId: string | null; search: PublicOffersSearch; key: string }

/** What is known of a pharmacy's offers that says which page a URL means. */
export type ShownOffers = Pick<PublicOffers, 'categories' | 'arranged'> & {
  /** In its canonical spelling. */
  code: string
  status: number
  offerIds: ReadonlySet<string>
}

/** The page that a request means. Without offers all URLs of a pharmacy mean the same page. */
export function targetOf(
  shown: ShownOffers,
  { offerId: requestedId, query }: Pick<PageRequest, 'offerId' | 'query'>,
): PageTarget {
  const path = publicOffersPath(shown.code)
  if (shown.status !== 200) return { offerId: null, search: NO_SEARCH, key: path }
  const search =
    query === '' ? NO_SEARCH : effectiveSearch(shown, parseSearch(new URLSearchParams(query)))
  const isGone = requestedId !== null && !shown.offerIds.has(requestedId)
  const offerId = isGone ? GONE : requestedId
  return { offerId, search, key: `${path}/${offerId}?${toSearchParams(search).toString()}` }
}

/** The content shown instead of offers. */
export function noOffers(
  day: Day,
  error: PublicOffersError,
  pharmacy: PublicPharmacy | null,
): PublicOffers {
  return { offers: [], arranged: false, pharmacy, error, categories: [], day }
}

/** Seconds for which a shared cache may keep a page without revalidation. */
const SHARED_SECONDS = 10

/** `Cache-Control` of a page: errors are not cached. @param until when the day of the page ends; null for none */
export function cacheControl(status: number, until: number | null, now: number): string {
  if (status !== 200 || until === null) return 'no-store'
  const left = Math.max(0, Math.floor((until - now) / 1_000))
  return `public, max-age=0, s-maxage=${Math.min(SHARED_SECONDS, left)}`
}
