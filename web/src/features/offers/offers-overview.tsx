import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { OfferLimit } from './offer-limit.tsx'
import { PublicPagePanel } from './public-page-panel.tsx'

type OffersOverviewProps = {
  pharmacy: OwnPharmacy
  /** So many customers see now. */
  shown: number
  /** So many are switched on, of those that may be. */
  active: number
  most: number
}

/** What customers see, and how many offers there may be. */
export function OffersOverview({ pharmacy, shown, active, most }: OffersOverviewProps) {
  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-3.5 md:p-4 lg:grid-cols-[minmax(0,1fr)_16rem] lg:items-center lg:gap-8">
      <PublicPagePanel pharmacy={pharmacy} shown={shown} />
      <OfferLimit active={active} most={most} />
    </div>
  )
}
