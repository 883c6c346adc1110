import { adminVisitPath } from '@bancone/contract/admin-pages'
import { NavLink, useParams } from 'react-router'
import { StartVisitForm } from '../../features/support/start-visit-form.tsx'
import { useVisit } from '../../features/support/use-visit.ts'
import { VisitBanner } from '../../features/support/visit-banner.tsx'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { VisitOffers } from './visit/visit-offers.tsx'
import { VisitOrders } from './visit/visit-orders.tsx'

/** The pages of a pharmacy as the support sees them: read only, with masked customers. */
export function AdminVisit({ page }: { page: 'orders' | 'offers' }) {
  useDocumentTitle('Visualizza come farmacia')
  const { pharmacyId = '' } = useParams()
  const { endsAt, ...query } = useVisit()
  const home = adminVisitPath(pharmacyId)
  return (
    <QueryStates query={query} skeleton={<PageSpinner />}>
      {({ visit }) =>
        visit?.pharmacyId === pharmacyId && endsAt !== null ? (
          <div className="-mt-3.5 flex flex-col gap-4 md:-mt-7">
            <VisitBanner visit={visit} endsAt={endsAt} />
            <div className="flex flex-wrap items-center justify-between gap-3">
              <PageTitle>{page === 'orders' ? 'Ordini' : 'Offerte'}</PageTitle>
              <nav aria-label="Pagine della farmacia" className="flex gap-1">
                <NavLink to={home} end className={buttonStyle({ look: 'quiet' })}>
                  Ordini
                </NavLink>
                <NavLink to={`${home}/offers`} className={buttonStyle({ look: 'quiet' })}>
                  Offerte
                </NavLink>
              </nav>
            </div>
            {page === 'orders' ? (
              <VisitOrders visitId={visit.id} />
            ) : (
              <VisitOffers visitId={visit.id} />
            )}
          </div>
        ) : (
          <StartVisitForm pharmacyId={pharmacyId} />
        )
      }
    </QueryStates>
  )
}
