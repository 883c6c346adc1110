import {
  type OfferKind,
  type OfferSort,
  type PublicOffers,
  type PublicOffersSearch,
  toSearchParams,
} from '@bancone/contract/public-offers'
import { queryString } from '../../lib/query-string.ts'

export const NO_SEARCH: PublicOffersSearch = { tipo: 'all' }

/** Labels of the filter by kind. */
export const kinds: Record<OfferKind, string> = {
  all: 'Tutti i prodotti',
  offers: 'Solo offerte',
  featured: 'Solo in evidenza',
}

/** Labels of the sorting. The pharmacy's own order is available only where one exists. */
export const sorts: Record<OfferSort, string> = {
  pharmacy: 'Scelti dalla farmacia',
  typeAndDiscount: 'Offerte prima',
  discount: 'Sconto maggiore',
  priceAsc: 'Prezzo crescente',
  priceDesc: 'Prezzo decrescente',
  nameAsc: 'A-Z',
}

function isOf<Name extends string>(words: Record<Name, string>, text: unknown): text is Name {
  return typeof text === 'string' && Object.hasOwn(words, text)
}

/** Parses the filters of a URL or form; invalid values are left out. */
export function readSearch(from: URLSearchParams | FormData): PublicOffersSearch {
  const [categoria, tipo, ordine] = ['categoria', 'tipo', 'ordine'].map((name) => from.get(name))
  return {
    tipo: isOf(kinds, tipo) ? tipo : 'all',
    ...(typeof categoria === 'string' && categoria !== '' && { categoria }),
    ...(isOf(sorts, ordine) && { ordine }),
  }
}

/** Normalizes filters for these offers: drops defaults and unknown categories. */
export function effectiveSearch(
  { categories, arranged }: Pick<PublicOffers, 'categories' | 'arranged'>,
  { categoria, tipo, ordine }: PublicOffersSearch,
): PublicOffersSearch {
  const known = categoria !== undefined && categories.includes(categoria)
  const usual = arranged ? 'pharmacy' : 'typeAndDiscount'
  const meant = ordine === usual || (ordine === 'pharmacy' && !arranged) ? undefined : ordine
  return { tipo, ...(known && { categoria }), ...(meant && { ordine: meant }) }
}

/** Query string of the filters: `?tipo=offers`, or empty. */
export function searchText(search: PublicOffersSearch): string {
  return queryString(toSearchParams(search))
}

/** Number of filters that differ from the default. */
export function changedFilters({ categoria, tipo, ordine }: PublicOffersSearch): number {
  return [categoria !== undefined, tipo !== 'all', ordine !== undefined].filter(Boolean).length
}
