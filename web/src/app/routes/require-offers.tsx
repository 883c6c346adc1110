import { hasFeature } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

type RequireOffersProps = {
  /** Title shown to a pharmacy without the offers feature. */
  unavailableTitle: string
  children: (pharmacy: OwnPharmacy) => ReactNode
}

function NoOffersHere({ title }: { title: string }) {
  return (
    <div className="grid flex-1 place-content-center">
      <EmptyState
        heading="h1"
        icon={<Tag />}
        title={title}
        action={
          <Link to={paths.dashboard} className={buttonStyle({})}>
            Vai alla dashboard
          </Link>
        }
      >
        La funzionalità Offerte non è abilitata per la tua farmacia.
      </EmptyState>
    </div>
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
