import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { ProductSheet } from './product-draft/product-sheet.tsx'
import { RequireOffers } from './require-offers.tsx'

export function ProductDraft() {
  useDocumentTitle('Scheda prodotto')
  return (
    <RequireOffers unavailableTitle="Scheda prodotto non disponibile">
      {() => <ProductSheet />}
    </RequireOffers>
  )
}
