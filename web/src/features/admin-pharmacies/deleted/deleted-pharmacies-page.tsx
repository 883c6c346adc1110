import { paths } from '@bancone/contract/pages'
import {
  type DeletedPharmacy,
  listDeletedPharmacies,
  type PurgeCertificate,
  type PurgeStep,
  purgePharmacy,
} from '@bancone/contract/pharmacy-deletion'
import { useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import { endpointKey, useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { type ModalProps, useOpened } from '../../../lib/use-opened.ts'
import { buttonStyle } from '../../../ui/button.tsx'
import { CodeDialog } from '../../../ui/code-dialog.tsx'
import { EmptyList } from '../../../ui/empty-state.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { DeletedList, DeletedListSkeleton } from './deleted-list.tsx'

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
      {purging.item ? <PurgeDialog pharmacy={purging.item} {...purging.modal} /> : null}
    </div>
  )
}

type PurgeDialogProps = ModalProps & { pharmacy: DeletedPharmacy }

/** Removes a deleted pharmacy for ever. */
function PurgeDialog({ pharmacy, ...modal }: PurgeDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(purgePharmacy)

  async function purge() {
    await mutateAsync({ params: { pharmacyId: pharmacy.id }, body: { code: pharmacy.code } })
    await client.invalidateQueries({ queryKey: endpointKey(listDeletedPharmacies) })
    toastSuccess('Eliminazione definitiva avviata')
  }

  return (
    <CodeDialog
      title={`Eliminare per sempre «${pharmacy.name}»?`}
      text="Ordini, offerte, immagini, file e account della farmacia vengono cancellati subito. Non si può annullare. Resta solo un certificato senza dati personali."
      code={pharmacy.code}
      confirm="Elimina per sempre"
      confirming="Eliminazione in corso…"
      onConfirm={purge}
      {...modal}
    />
  )
}

const stepNames: Record<PurgeStep, string> = {
  access: 'Accessi, chiavi e dispositivi',
  orders: 'Ordini e cronologia',
  offers: 'Offerte, prezzi e visite',
  pictures: 'Immagini',
  files: 'File ed esportazioni',
  people: 'Account dei colleghi',
  account: 'Farmacia e suo account',
}

function sums({ steps }: PurgeCertificate) {
  const removed = steps.flatMap((step) => Object.entries(step.removed))
  const files = removed.filter(([name]) => name === 'files')
  const sum = (entries: [string, number][]) => entries.reduce((all, [, count]) => all + count, 0)
  return { rows: sum(removed) - sum(files), files: sum(files) }
}

/** What is left of the pharmacies that were removed for ever. */
function Certificates({ purged }: { purged: readonly PurgeCertificate[] }) {
  return (
    <section aria-labelledby="certificates" className="flex flex-col gap-3">
      <h2 id="certificates" className="text-lg font-medium">
        Eliminate per sempre
      </h2>
      <ul className="divide-y divide-line rounded-card border border-line bg-surface">
        {purged.map((certificate) => {
          const { rows, files } = sums(certificate)
          return (
            <li key={certificate.id} className="px-4 py-3.5">
              <p className="font-medium">{certificate.code}</p>
              <p className="mt-0.5 text-sm text-muted tabular-nums">
                Eliminata il {formatDateTime(certificate.deletedAt)}, per sempre il{' '}
                {formatDateTime(certificate.finishedAt)}
                {certificate.requestedBy === null ? ' allo scadere dei 30 giorni' : ' su richiesta'}
              </p>
              <details className="mt-1 text-sm">
                <summary className="cursor-pointer py-1 text-accent pointer-coarse:py-3">
                  Certificato: {formatNumber(rows)} righe e {formatNumber(files)} file cancellati
                </summary>
                <ul className="flex flex-col gap-1 pt-1 text-muted tabular-nums">
                  {certificate.steps.map(({ step, finishedAt, removed }) => (
                    <li key={step} className="wrap-anywhere">
                      <span className="text-ink">{stepNames[step]}</span>,{' '}
                      {formatDateTime(finishedAt)}
                      {Object.keys(removed).length > 0
                        ? `: ${Object.entries(removed)
                            .map(([name, count]) => `${name} ${formatNumber(count)}`)
                            .join(', ')}`
                        : null}
                    </li>
                  ))}
                </ul>
              </details>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
