import { OfferSorting } from './offers-address.ts'

const texts: Record<OfferSorting, string> = {
  recenti: 'Più recenti',
  nome: 'Nome A-Z',
  'nome-za': 'Nome Z-A',
  prezzo: 'Prezzo più basso',
  'prezzo-alto': 'Prezzo più alto',
  sconto: 'Sconto maggiore',
  scadenza: 'Scadenza più vicina',
}

export const sortings = OfferSorting.options.map((sorting) => ({ sorting, text: texts[sorting] }))

/** Description of the sorting, for the end of a sentence. */
export function sortingCaption(sorting: OfferSorting): string {
  return `ordinate per: ${texts[sorting].toLowerCase()}`
}

type Order = 'ascending' | 'descending' | 'none'

/** Sortings of the table's headers in the order of clicks; then back to the default. */
const byHead: Readonly<Record<string, readonly { sorting: OfferSorting; order: Order }[]>> = {
  Prodotto: [
    { sorting: 'nome', order: 'ascending' },
    { sorting: 'nome-za', order: 'descending' },
  ],
  'Prezzo offerta': [
    { sorting: 'prezzo', order: 'ascending' },
    { sorting: 'prezzo-alto', order: 'descending' },
  ],
  Tipo: [{ sorting: 'sconto', order: 'descending' }],
  Periodo: [{ sorting: 'scadenza', order: 'ascending' }],
}

/** For `aria-sort`. */
export function sortingOrder(head: string, sorting: OfferSorting): Order {
  return byHead[head]?.find((each) => each.sorting === sorting)?.order ?? 'none'
}

/** The sorting after a click on a header; null when the column is not sortable. */
export function nextSorting(head: string, sorting: OfferSorting): OfferSorting | null {
  const ways = byHead[head]
  if (!ways) return null
  const at = ways.findIndex((each) => each.sorting === sorting)
  return ways[at + 1]?.sorting ?? 'recenti'
}
