import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { ForOffers } from './for-offers.tsx'
import { ProductSheet } from './product-draft/product-sheet.tsx'

export function ProductDraft() {
  useDocumentTitle('Scheda prodotto')
  return <ForOffers otherwise="Scheda prodotto non disponibile">{() => <ProductSheet />}</ForOffers>
}
