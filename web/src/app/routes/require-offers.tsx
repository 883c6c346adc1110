import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { RequireFeature, Unavailable } from './access.tsx'

type RequireOffersProps = {
  /** Title shown to a pharmacy without the offers feature. */
  unavailableTitle: string
  /** Shown until the pharmacy is known. */
  skeleton?: ReactNode
  children: (pharmacy: OwnPharmacy) => ReactNode
}

/** A page for pharmacies with the offers feature. */
export function RequireOffers({ unavailableTitle, children, ...states }: RequireOffersProps) {
  return (
    <RequireFeature
      {...states}
      feature="offers"
      renderRefusal={() => (
        <Unavailable
          icon={<Tag />}
          title={unavailableTitle}
          text="La funzionalità Offerte non è abilitata per la tua farmacia."
        />
      )}
    >
      {children}
    </RequireFeature>
  )
}
