import {
  type DeletedPharmacy,
  listDeletedPharmacies,
  PurgeStep,
  restorePharmacy,
} from '@bancone/contract/pharmacy-deletion'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../lib/api.ts'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { Loading, Skeleton } from '../../../ui/skeleton.tsx'
import { toastSuccess } from '../../../ui/toast.ts'
import { invalidatePharmacies } from '../use-admin-pharmacies.ts'
import { PharmacyExportPart } from './pharmacy-export.tsx'

const line = 'flex flex-wrap items-center justify-between gap-x-4 gap-y-3 px-4 py-3.5'
const list = 'divide-y divide-line rounded-card border border-line bg-surface'

type DeletedListProps = {
  pharmacies: readonly DeletedPharmacy[]
  /** A pharmacy has been restored: its line is gone. */
  onRestored: () => void
  onPurge: (pharmacy: DeletedPharmacy, opener: HTMLElement) => void
}

/** The pharmacies that can be restored, and those whose purge is in progress. */
export function DeletedList({ pharmacies, onRestored, onPurge }: DeletedListProps) {
  return (
    <ul className={list}>
      {pharmacies.map((pharmacy) => (
        <li key={pharmacy.id} className={line}>
          <div className="min-w-0 flex-1 basis-60">
            <p className="font-medium wrap-anywhere">{pharmacy.name}</p>
            <p className="mt-0.5 text-sm wrap-anywhere text-muted">
              {pharmacy.code} · {pharmacy.email}
            </p>
            <p className="text-sm text-muted tabular-nums">
              Eliminata il {formatDateTime(pharmacy.deletedAt)} · {timeLeft(pharmacy)}
            </p>
          </div>
          {pharmacy.purgedSteps === null ? (
            <DeletedActions pharmacy={pharmacy} onRestored={onRestored} onPurge={onPurge} />
          ) : null}
        </li>
      ))}
    </ul>
  )
}

function timeLeft({ daysLeft, purgedSteps }: DeletedPharmacy): string {
  if (purgedSteps !== null) {
    return `eliminazione definitiva in corso: ${purgedSteps.length} passi su ${PurgeStep.options.length}`
  }
  return daysLeft <= 1 ? 'ultimo giorno per ripristinarla' : `restano ${daysLeft} giorni`
}

type DeletedActionsProps = Omit<DeletedListProps, 'pharmacies'> & { pharmacy: DeletedPharmacy }

function DeletedActions({ pharmacy, onRestored, onPurge }: DeletedActionsProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(restorePharmacy)
  const { busy, failure, run } = useAction()

  function restore() {
    void run(async () => {
      try {
        await mutateAsync({ params: { pharmacyId: pharmacy.id } })
        toastSuccess('Farmacia ripristinata', { description: pharmacy.name })
      } catch (reason) {
        const isGone = reason instanceof ApiError && reason.status === 404
        if (!isGone) throw reason
      }
      onRestored()
      void invalidatePharmacies(client)
      await client.invalidateQueries({ queryKey: endpointKey(listDeletedPharmacies) })
    })
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      <Button inactive={busy} aria-label={`Ripristina ${pharmacy.name}`} onClick={restore}>
        {busy ? 'Ripristino in corso…' : 'Ripristina'}
      </Button>
      <PharmacyExportPart pharmacyId={pharmacy.id} name={pharmacy.name} newest={pharmacy.export} />
      <Button
        look="danger"
        aria-label={`Elimina subito ${pharmacy.name}`}
        aria-haspopup="dialog"
        onClick={({ currentTarget }) => onPurge(pharmacy, currentTarget)}
      >
        Elimina subito
      </Button>
      {failure ? (
        <div className="order-last basis-full">
          <FailureAlert failure={failure} />
        </div>
      ) : null}
    </div>
  )
}

export function DeletedListSkeleton() {
  return (
    <Loading text="Caricamento delle farmacie eliminate in corso…" className={list}>
      {['w-40', 'w-56'].map((width) => (
        <div key={width} className={line}>
          <div className="flex flex-1 flex-col gap-2">
            <Skeleton className={`h-4.5 ${width}`} />
            <Skeleton className="h-3.5 w-3/5" />
            <Skeleton className="h-3.5 w-2/5" />
          </div>
          <Skeleton shape="control" className="h-9 w-56" />
        </div>
      ))}
    </Loading>
  )
}
