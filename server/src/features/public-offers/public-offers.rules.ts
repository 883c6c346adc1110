import type { Day } from '@bancone/contract/dates'
import { publicOffersPath } from '@bancone/contract/pages'
import {
  type PublicOffers,
  type PublicOffersError,
  PublicOffersSearch,
  type PublicPharmacy,
  toSearchParams,
} from '@bancone/contract/public-offers'

const LONGEST_CODE = 100
const OFFER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** No filter, default order. */
export const NO_SEARCH: PublicOffersSearch = { tipo: 'all' }

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

/** Parses a query string; null when none of it is understood. */
export function readSearch(query: string): PublicOffersSearch | null {
  if (query === '') return null
  const given = new URLSearchParams(query)
  const read = PublicOffersSearch.parse({
    categoria: given.get('categoria') ?? undefined,
    tipo: given.get('tipo') ?? undefined,
    ordine: given.get('ordine') ?? undefined,
  })
  return toSearchParams(read).size === 0 ? null : read
}

/** Drops a category that does not exist. */
export function withKnownCategory(
  search: PublicOffersSearch | null,
  categories: readonly string[],
): PublicOffersSearch | null {
  if (search?.categoria === undefined || categories.includes(search.categoria)) return search
  const others = { ...search, categoria: undefined }
  return toSearchParams(others).size === 0 ? null : others
}

/**
 * Cache key of a page: its path and its filters in a fixed order. Pages of offers that are not published share one
 * key.
 * @param offer as returned by `openedOffer`
 */
export function cacheKey(
  code: string,
  offer: string | null,
  search: PublicOffersSearch | null,
): string {
  const path =
    offer === '' ? `${publicOffersPath(code)}#gone` : publicOffersPath(code, offer ?? undefined)
  return keyOf(path, search)
}

/** Cache key of a requested URL. */
export function cacheKeyOfUrl(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : keyOf(url.slice(0, mark), readSearch(url.slice(mark + 1)))
}

function keyOf(path: string, search: PublicOffersSearch | null): string {
  return search === null ? path : `${path}?${toSearchParams(search).toString()}`
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
  const [path, query] = splitAt(url, '?')
  const [, , code = '', offerId, ...more] = path.split('/')
  if (more.length > 0) return undefined
  const asked = { code: decoded(code), query }
  if (offerId === undefined) return { ...asked, offerId: null, isCanonical: true }
  if (offerId === '') return { ...asked, offerId: null, isCanonical: false }
  const id = decoded(offerId).toLowerCase()
  return { ...asked, offerId: id, isCanonical: id === offerId || !OFFER_ID.test(id) }
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return ''
  }
}

/** The offer of a page; '' for one that is not published. */
export function openedOffer(shown: ReadonlySet<string>, offerId: string | null): string | null {
  return offerId === null || shown.has(offerId) ? offerId : ''
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

/** `Cache-Control` of a page: it expires with its day, and errors are not cached. */
export function cacheControl(
  { status, until }: { status: number; until: number | null },
  now: number,
): string {
  if (status !== 200 || until === null) return 'no-store'
  const left = Math.max(0, Math.floor((until - now) / 1_000))
  return `public, max-age=0, s-maxage=${Math.min(SHARED_SECONDS, left)}`
}
