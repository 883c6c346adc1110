import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { OfferLimit } from './offer-limit.tsx'
import { PublicPagePanel } from './public-page-panel.tsx'

type OffersOverviewProps = {
  pharmacy: OwnPharmacy
  /** Number of published offers. */
  shown: number
  /** Number of offers that count towards the limit. */
  active: number
  /** Null for any number. */
  most: number | null
}

/** What customers see, and the limit of offers. */
export function OffersOverview({ pharmacy, shown, active, most }: OffersOverviewProps) {
  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-3.5 md:p-4 lg:grid-cols-[minmax(0,1fr)_16rem] lg:items-center lg:gap-8">
      <PublicPagePanel pharmacy={pharmacy} shown={shown} />
      <OfferLimit active={active} most={most} />
    </div>
  )
}
