import { can } from '@bancone/contract/access'
import { paths } from '@bancone/contract/pages'
import type { OwnPharmacy } from '@bancone/contract/pharmacies'
import { Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { WithPharmacy } from './with-pharmacy.tsx'

type ForOffersProps = {
  /** What is said to a pharmacy that has no offers. */
  otherwise: string
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

/** A page for the pharmacies that have offers, once it is known which this is. */
export function ForOffers({ otherwise, children }: ForOffersProps) {
  return (
    <WithPharmacy>
      {(pharmacy) =>
        can(pharmacy, 'offers') ? children(pharmacy) : <NoOffersHere title={otherwise} />
      }
    </WithPharmacy>
  )
}
