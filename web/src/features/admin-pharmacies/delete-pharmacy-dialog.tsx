import { type AdminPharmacy, removePharmacy } from '@bancone/contract/admin-pharmacies'
import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { invalidatePharmacies } from './use-admin-pharmacies.ts'

type DeletePharmacyDialogProps = {
  pharmacy: AdminPharmacy
  onClose: () => void
  onReturnFocus: () => void
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'pharmacies.not_found'
}

/** Deletes a pharmacy. */
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
    await invalidatePharmacies(client)
    toastSuccess('Farmacia eliminata', { description: pharmacy.name })
  }

  return (
    <ConfirmDialog
      title={`Eliminare la farmacia «${pharmacy.name}»?`}
      text="Sparisce subito ovunque: nessuno può più accedere, e la pagina pubblica non si vede più. Si può ripristinare per 30 giorni; dopo, questa azione non può essere annullata."
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={(error) => `Errore durante l'eliminazione della farmacia. ${errorMessage(error)}`}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <p className="text-sm wrap-anywhere text-muted">
        {pharmacy.pharmacy_id} · {pharmacy.email}
      </p>
    </ConfirmDialog>
  )
}
