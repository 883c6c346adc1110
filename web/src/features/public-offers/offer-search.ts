import {
  type OfferKind,
  type OfferSort,
  type PublicOffersSearch,
  toSearchParams,
} from '@bancone/contract/public-offers'
import { queryString } from '../../lib/query-string.ts'

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

/** Query string of the filters: `?tipo=offers`, or empty. */
export function searchText(search: PublicOffersSearch): string {
  return queryString(toSearchParams(search))
}

/** Number of filters that differ from the default. */
export function changedFilters({ categoria, tipo, ordine }: PublicOffersSearch): number {
  return [categoria !== undefined, tipo !== 'all', ordine !== undefined].filter(Boolean).length
}
