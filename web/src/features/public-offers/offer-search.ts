import {
  type OfferKind,
  type OfferSort,
  type PublicOffers,
  type PublicOffersSearch,
  searchQuery,
} from '@bancone/contract/public-offers'
import { queryText } from '../../lib/query-text.ts'

export const NO_SEARCH: PublicOffersSearch = { tipo: 'all' }

/** What of the products is looked at, by the words for it. */
export const kinds: Record<OfferKind, string> = {
  all: 'Tutti i prodotti',
  offers: 'Solo offerte',
  featured: 'Solo in evidenza',
}

/** In which order. The pharmacy's own is there only where it has made one. */
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

/** What an address or a form says; what is not understood is left out. */
export function readSearch(from: URLSearchParams | FormData): PublicOffersSearch {
  const [categoria, tipo, ordine] = ['categoria', 'tipo', 'ordine'].map((name) => from.get(name))
  return {
    tipo: isOf(kinds, tipo) ? tipo : 'all',
    ...(typeof categoria === 'string' && categoria !== '' && { categoria }),
    ...(isOf(sorts, ordine) && { ordine }),
  }
}

/** What of it means something among these offers: the usual order is not said, an unknown category not looked for. */
export function meantSearch(
  { categories, arranged }: Pick<PublicOffers, 'categories' | 'arranged'>,
  { categoria, tipo, ordine }: PublicOffersSearch,
): PublicOffersSearch {
  const known = categoria !== undefined && categories.includes(categoria)
  const usual = arranged ? 'pharmacy' : 'typeAndDiscount'
  const meant = ordine === usual || (ordine === 'pharmacy' && !arranged) ? undefined : ordine
  return { tipo, ...(known && { categoria }), ...(meant && { ordine: meant }) }
}

/** As it stands in the address: `?tipo=offers`, or nothing. */
export function searchText(search: PublicOffersSearch): string {
  return queryText(searchQuery(search))
}

/** How many of them are not as they usually are. */
export function changedFilters({ categoria, tipo, ordine }: PublicOffersSearch): number {
  return [categoria !== undefined, tipo !== 'all', ordine !== undefined].filter(Boolean).length
}
