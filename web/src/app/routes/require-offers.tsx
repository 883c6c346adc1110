import { hasFeature } from '@bancone/contract/access'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Unavailable } from './unavailable.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

type RequireOffersProps = {
  /** Title shown to a pharmacy without the offers feature. */
  unavailableTitle: string
  children: (pharmacy: OwnPharmacy) => ReactNode
}

function NoOffersHere({ title }: { title: string }) {
  return (
    <Unavailable icon={<Tag />} title={title}>
      La funzionalità Offerte non è abilitata per la tua farmacia.
    </Unavailable>
  )
}

/** A page for pharmacies with the offers feature. */
export function RequireOffers({ unavailableTitle, children }: RequireOffersProps) {
  return (
    <WithPharmacy>
      {(pharmacy) =>
        hasFeature(pharmacy, 'offers') ? (
          children(pharmacy)
        ) : (
          <NoOffersHere title={unavailableTitle} />
        )
      }
    </WithPharmacy>
  )
}
