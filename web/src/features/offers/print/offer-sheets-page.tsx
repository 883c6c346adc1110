import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { ChevronLeft } from 'lucide-react'
import { Link } from 'react-router'
import { PageTitle } from '../../../ui/page-title.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { useOffers } from '../use-offers.ts'
import { OfferSheets } from './offer-sheets.tsx'

/** Prints offers: as a flyer, or as shelf labels. */
export function OfferSheetsPage({ pharmacy }: { pharmacy: OwnPharmacy }) {
  const { listed, failed, isFetching, read } = useOffers()
  const missed = failed && !listed
  return (
    <div className="flex flex-col gap-4 md:gap-5">
      <div className="print:hidden">
        <Link
          to={paths.offers}
          className="-mx-1 inline-flex min-h-11 items-center gap-1 rounded px-1 text-sm text-muted underline-offset-4 hover:text-ink hover:underline md:min-h-8"
        >
          <ChevronLeft aria-hidden className="size-4" />
          Offerte
        </Link>
        <PageTitle>Volantini ed etichette</PageTitle>
      </div>
      {missed ? (
        <RetryAlert busy={isFetching} onRetry={read}>
          Si è verificato un errore nel caricamento delle offerte. Riprova più tardi.
        </RetryAlert>
      ) : null}
      {listed ? (
        <OfferSheets offers={listed.offers} pharmacy={pharmacy} today={listed.today} />
      ) : missed ? null : (
        <SheetsSkeleton />
      )}
    </div>
  )
}

function SheetsSkeleton() {
  return (
    <Loading
      text="Caricamento delle offerte in corso…"
      className="grid gap-5 lg:grid-cols-[20rem_1fr] lg:gap-8"
    >
      <Skeleton shape="control" className="h-64 w-full" />
      <Skeleton shape="control" className="aspect-[210/297] w-full max-w-[210mm]" />
    </Loading>
  )
}
