import { lazy, Suspense } from 'react'
import { FormSkeleton } from '../../features/offers/form-skeleton.tsx'
import type { OfferFormSlot } from '../../features/offers/offer-form-slot.ts'
import { OffersPage } from '../../features/offers/offers-page.tsx'
import { useOffersAhead } from '../../features/offers/use-offers.ts'
import { Alert } from '../../ui/alert.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { RequireOffers } from './require-offers.tsx'

const OfferEditor = lazy(async () => ({
  default: (await import('./offers/offer-editor.tsx')).OfferEditor,
}))

/** Loaded on demand. If the code cannot be loaded, the list stays usable. */
function offerForm(slot: OfferFormSlot) {
  return (
    <ErrorBoundary
      fallback={
        <Alert tone="error">
          Il modulo non si è caricato. Controlla la connessione, poi ricarica la pagina.
        </Alert>
      }
    >
      <Suspense fallback={<FormSkeleton />}>
        <OfferEditor {...slot} />
      </Suspense>
    </ErrorBoundary>
  )
}

function OffersAhead() {
  useOffersAhead()
  return <PageSpinner />
}

export function Offers() {
  return (
    <RequireOffers skeleton={<OffersAhead />} unavailableTitle="Offerte non disponibili">
      {(pharmacy) => <OffersPage pharmacy={pharmacy} form={offerForm} />}
    </RequireOffers>
  )
}
