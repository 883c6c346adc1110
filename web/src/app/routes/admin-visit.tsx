import { adminVisitPath } from '@bancone/contract/admin-pages'
import { formatPrice } from '@bancone/contract/money'
import { listOffers } from '@bancone/contract/offers'
import { Tag } from 'lucide-react'
import { NavLink, useParams } from 'react-router'
import { stateOf } from '../../features/offers/offer-lists.ts'
import { OfferStateWord } from '../../features/offers/offer-state.tsx'
import { StartVisitForm } from '../../features/support/start-visit-form.tsx'
import { useVisit, visitRequest } from '../../features/support/use-visit.ts'
import { VisitBanner } from '../../features/support/visit-banner.tsx'
import { useEndpoint } from '../../lib/endpoint-query.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { buttonStyle } from '../../ui/button.tsx'
import { EmptyList } from '../../ui/empty-state.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
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

/** The offers of the visited pharmacy. */
function VisitOffers({ visitId }: { visitId: string }) {
  const query = useEndpoint(listOffers, visitRequest(visitId))
  return (
    <QueryStates query={query} skeleton={<OffersSkeleton />}>
      {({ offers, today }) =>
        offers.length === 0 ? (
          <EmptyList icon={<Tag />} title="Nessuna offerta">
            Qui compaiono le offerte della farmacia.
          </EmptyList>
        ) : (
          <ul className="flex flex-col divide-y divide-line rounded-card border border-line bg-surface">
            {offers.map((offer) => (
              <li key={offer.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3">
                <div className="min-w-0 flex-1 basis-48">
                  <p className="font-medium wrap-anywhere">{offer.fields.Nome_Prodotto}</p>
                  <p className="text-sm text-muted">{offer.fields.Categoria}</p>
                </div>
                <span className="tabular-nums">{formatPrice(offer.fields.Prezzo_Offerta)}</span>
                <OfferStateWord state={stateOf(offer, today)} />
              </li>
            ))}
          </ul>
        )
      }
    </QueryStates>
  )
}

function OffersSkeleton() {
  return (
    <Loading className="flex flex-col gap-2">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} shape="control" className="h-14" />
      ))}
    </Loading>
  )
}
