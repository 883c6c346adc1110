import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { OfferLimit } from './offer-limit.tsx'
import type { StateCounts } from './offer-lists.ts'
import { unshownText } from './offer-texts.ts'
import { PublicPagePanel } from './public-page-panel.tsx'

type OffersOverviewProps = {
  pharmacy: OwnPharmacy
  /** Number of published offers. */
  shown: number
  /** Number of offers that count towards the limit. */
  active: number
  /** The active offers that customers do not see. */
  counts: StateCounts
  /** Null for any number. */
  most: number | null
}

/** What customers see, and the limit of offers. */
export function OffersOverview({ pharmacy, shown, active, counts, most }: OffersOverviewProps) {
  return (
    <div className="grid gap-4 rounded-card border border-line bg-surface p-3.5 md:p-4 lg:grid-cols-[minmax(0,1fr)_16rem] lg:items-center lg:gap-8">
      <PublicPagePanel pharmacy={pharmacy} shown={shown} unshown={unshownText(counts)} />
      <OfferLimit active={active} expired={counts.expired} most={most} />
    </div>
  )
}
