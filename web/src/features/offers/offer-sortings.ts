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

/** How the list is sorted, at the end of a sentence. */
export function sortingCaption(sorting: OfferSorting): string {
  return `ordinate per: ${texts[sorting].toLowerCase()}`
}

type Order = 'ascending' | 'descending' | 'none'

/** What the heads of the table sort by, one after the other; then they leave it to the time they were made. */
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

/** What the head of a column sorts by when it is pressed; null where it does not sort. */
export function nextSorting(head: string, sorting: OfferSorting): OfferSorting | null {
  const ways = byHead[head]
  if (!ways) return null
  const at = ways.findIndex((each) => each.sorting === sorting)
  return ways[at + 1]?.sorting ?? 'recenti'
}
