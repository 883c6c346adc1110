import { OfferSheetsPage } from '../../features/offers/print/offer-sheets-page.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { ForOffers } from './for-offers.tsx'

export function OfferSheets() {
  useDocumentTitle('Volantini ed etichette')
  return (
    <ForOffers otherwise="Offerte non disponibili">
      {(pharmacy) => <OfferSheetsPage pharmacy={pharmacy} />}
    </ForOffers>
  )
}
