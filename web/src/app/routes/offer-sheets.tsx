import { OfferSheetsPage } from '../../features/offers/print/offer-sheets-page.tsx'
import { RequireOffers } from './require-offers.tsx'

export function OfferSheets() {
  return (
    <RequireOffers unavailableTitle="Offerte non disponibili">
      {(pharmacy) => <OfferSheetsPage pharmacy={pharmacy} />}
    </RequireOffers>
  )
}
