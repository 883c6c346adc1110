import { ProductSheet } from './product-draft/product-sheet.tsx'
import { RequireOffers } from './require-offers.tsx'

export function ProductDraft() {
  return (
    <RequireOffers unavailableTitle="Scheda prodotto non disponibile">
      {() => <ProductSheet />}
    </RequireOffers>
  )
}
