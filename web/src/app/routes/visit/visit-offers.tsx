import { formatPrice } from '@bancone/contract/money'
import { listOffers } from '@bancone/contract/offers'
import { Tag } from 'lucide-react'
import { stateOf } from '../../../features/offers/offer-lists.ts'
import { OfferStateWord } from '../../../features/offers/offer-state.tsx'
import { visitRequest } from '../../../features/support/use-visit.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'

/** The offers of the visited pharmacy. */
export function VisitOffers({ visitId }: { visitId: string }) {
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
