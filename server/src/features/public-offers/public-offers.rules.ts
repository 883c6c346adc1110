import { addDays, type Day, dayOf } from '@bancone/contract/dates'
import { publicOffersPath } from '@bancone/contract/pages'
import {
  type PublicOffers,
  type PublicOffersError,
  PublicOffersSearch,
  type PublicPharmacy,
  searchQuery,
} from '@bancone/contract/public-offers'

const LONGEST_CODE = 100
const OFFER_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const HOUR_MS = 60 * 60_000

/** Everything, as it comes. */
export const NO_SEARCH: PublicOffersSearch = { tipo: 'all' }

/** Whether a pharmacy could be called so: what no database holds, or nobody could read, is none. */
export function isPharmacyCode(code: string): boolean {
  return /^[^\p{Cc}\p{Cs}]+$/u.test(code) && code.trim() !== '' && code.length <= LONGEST_CODE
}

/** @returns the first moment, in milliseconds since 1970, that is no more of that day in Rome */
export function endOfDay(day: Day): number {
  const next = addDays(day, 1)
  // Midnight of Rome is two hours before that of UTC in summer, and one in winter.
  const summer = Date.parse(next) - 2 * HOUR_MS
  return dayOf(summer) === next ? summer : summer + HOUR_MS
}

/** What a page says with its status. */
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

/** What stands in an address behind the `?`, as far as it is understood; null where none of it is. */
export function readSearch(query: string): PublicOffersSearch | null {
  if (query === '') return null
  const given = new URLSearchParams(query)
  const read = PublicOffersSearch.parse({
    categoria: given.get('categoria') ?? undefined,
    tipo: given.get('tipo') ?? undefined,
    ordine: given.get('ordine') ?? undefined,
  })
  return searchQuery(read).size === 0 ? null : read
}

/** The same, without a category that there is not. */
export function knownSearch(
  search: PublicOffersSearch | null,
  categories: readonly string[],
): PublicOffersSearch | null {
  if (search?.categoria === undefined || categories.includes(search.categoria)) return search
  const others = { ...search, categoria: undefined }
  return searchQuery(others).size === 0 ? null : others
}

/**
 * Under which a page is remembered: its path, and what is sought on it in an order of ours. All about offers that
 * are not shown are one.
 * @param offer as `openedOffer` says it
 */
export function pageKey(
  code: string,
  offer: string | null,
  search: PublicOffersSearch | null,
): string {
  const path =
    offer === '' ? `${publicOffersPath(code)}#gone` : publicOffersPath(code, offer ?? undefined)
  return keyOf(path, search)
}

/** The same for an address as it was asked for. */
export function askedKey(url: string): string {
  const mark = url.indexOf('?')
  return mark < 0 ? url : keyOf(url.slice(0, mark), readSearch(url.slice(mark + 1)))
}

function keyOf(path: string, search: PublicOffersSearch | null): string {
  return search === null ? path : `${path}?${searchQuery(search).toString()}`
}

/** `isPlain`: as links of ours are written, whatever the code is. */
export type AskedPage = { code: string; offerId: string | null; query: string; isPlain: boolean }

/** What page an address is of; undefined where it is none. The code is what it says, also nothing. */
export function askedPage(url: string): AskedPage | undefined {
  const [path, query] = splitAt(url, '?')
  const [, , code = '', offerId, ...more] = path.split('/')
  if (more.length > 0) return undefined
  const asked = { code: decoded(code), query }
  if (offerId === undefined) return { ...asked, offerId: null, isPlain: true }
  if (offerId === '') return { ...asked, offerId: null, isPlain: false }
  const id = decoded(offerId).toLowerCase()
  return { ...asked, offerId: id, isPlain: id === offerId || !OFFER_ID.test(id) }
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

/** The offer that a page is about: '' for one that is not shown. */
export function openedOffer(shown: ReadonlySet<string>, offerId: string | null): string | null {
  return offerId === null || shown.has(offerId) ? offerId : ''
}

/** What is shown instead of offers. */
export function noOffers(
  day: Day,
  error: PublicOffersError,
  pharmacy: PublicPharmacy | null,
): PublicOffers {
  return { offers: [], arranged: false, pharmacy, error, categories: [], day }
}

/** Seconds for which a cache before us may keep a page without asking. */
const SHARED_SECONDS = 10

/** What a page says in `Cache-Control`: none outlives its day, and what failed is not kept at all. */
export function cachingFor(
  { status, until }: { status: number; until: number | null },
  now: number,
): string {
  if (status !== 200 || until === null) return 'no-store'
  const left = Math.max(0, Math.floor((until - now) / 1_000))
  return `public, max-age=0, s-maxage=${Math.min(SHARED_SECONDS, left)}`
}
