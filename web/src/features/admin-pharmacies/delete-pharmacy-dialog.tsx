import { type AdminPharmacy, removePharmacy } from '@bancone/contract/admin-pharmacies'
import { listDeletedPharmacies } from '@bancone/contract/pharmacy-life'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { CodeDialog } from '../../ui/code-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { PharmacyExportPart } from './deleted/pharmacy-export.tsx'
import { invalidatePharmacies } from './use-admin-pharmacies.ts'

type DeletePharmacyDialogProps = {
  pharmacy: AdminPharmacy
  onClose: () => void
  onReturnFocus: () => void
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'pharmacies.not_found'
}

/** Deletes a pharmacy, and offers an export of it. */
export function DeletePharmacyDialog(props: DeletePharmacyDialogProps) {
  const { pharmacy, onClose, onReturnFocus } = props
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(removePharmacy)

  async function remove() {
    try {
      await mutateAsync({ query: { pharmacyId: pharmacy.id } })
    } catch (reason) {
      // The pharmacy has been deleted elsewhere already.
      if (!isGone(reason)) throw reason
    }
    void client.invalidateQueries({ queryKey: endpointKey(listDeletedPharmacies) })
    await invalidatePharmacies(client)
    toastSuccess('Farmacia eliminata', { description: pharmacy.name })
  }

  return (
    <CodeDialog
      title={`Eliminare la farmacia «${pharmacy.name}»?`}
      text="Sparisce subito ovunque: nessuno può più accedere, e la pagina pubblica non si vede più. Si può ripristinare per 30 giorni; dopo, questa azione non può essere annullata."
      code={pharmacy.pharmacy_id}
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={(error) => `Errore durante l'eliminazione della farmacia. ${errorMessage(error)}`}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="flex-1 basis-48 text-sm text-muted">
          Puoi esportare tutto quello che le appartiene, adesso o nei 30 giorni.
        </p>
        <PharmacyExportPart pharmacyId={pharmacy.id} name={pharmacy.name} newest={null} />
      </div>
    </CodeDialog>
  )
}
