import { OfferSheetsPage } from '../../features/offers/print/offer-sheets-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { RequireOffers } from './require-offers.tsx'

export function OfferSheets() {
  useDocumentTitle('Volantini ed etichette')
  return (
    <RequireOffers unavailableTitle="Offerte non disponibili">
      {(pharmacy) => <OfferSheetsPage pharmacy={pharmacy} />}
    </RequireOffers>
  )
}
