import { paths } from '@bancone/contract/pages'
import { type DeletedPharmacy, listDeletedPharmacies } from '@bancone/contract/pharmacy-life'
import { ChevronLeft, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { useOpened } from '../../../lib/use-opened.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { Certificates } from './certificates.tsx'
import { DeletedList, DeletedListSkeleton } from './deleted-list.tsx'
import { PurgeDialog } from './purge-dialog.tsx'

/** While a purge is in progress. */
const POLL_INTERVAL_MS = 2_000

/** The deleted pharmacies, and the certificates of those that were purged. */
export function DeletedPharmaciesPage() {
  const query = useEndpoint(
    listDeletedPharmacies,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.deleted.some(({ purgedSteps }) => purgedSteps !== null)
          ? POLL_INTERVAL_MS
          : false,
    },
  )
  const back = useRef<HTMLAnchorElement>(null)
  const purging = useOpened<DeletedPharmacy>(back)

  return (
    <div className="mx-auto flex w-full max-w-4xl flex-col gap-4 md:gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <PageTitle>Farmacie eliminate</PageTitle>
        <Link ref={back} to={paths.adminPharmacies} className={buttonStyle({ look: 'quiet' })}>
          <ChevronLeft aria-hidden />
          Tutte le farmacie
        </Link>
      </div>
      <p className="max-w-2xl text-sm text-pretty text-muted">
        Una farmacia eliminata si può ripristinare per 30 giorni, com'era. Poi tutti i suoi dati
        vengono cancellati per sempre; il suo codice non viene più usato.
      </p>
      <QueryStates query={query} skeleton={<DeletedListSkeleton />}>
        {({ deleted, purged }) => (
          <>
            {deleted.length === 0 ? (
              <EmptyList icon={<Trash2 />} title="Nessuna farmacia eliminata">
                Le farmacie che elimini restano qui per 30 giorni.
              </EmptyList>
            ) : (
              <DeletedList
                pharmacies={deleted}
                onRestored={() => back.current?.focus()}
                onPurge={purging.open}
              />
            )}
            {purged.length > 0 ? <Certificates purged={purged} /> : null}
          </>
        )}
      </QueryStates>
      {purging.item ? (
        <PurgeDialog
          pharmacy={purging.item}
          onClose={purging.close}
          onReturnFocus={purging.returnFocus}
        />
      ) : null}
    </div>
  )
}
