import { type AdminPharmacy, removePharmacy } from '@bancone/contract/admin-pharmacies'
import { ApiError } from '../../../lib/api.ts'
import { useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { problemText } from '../../../lib/use-action.ts'
import { toastSuccess } from '../../../ui/toast.ts'
import { CodeDialog } from './code-dialog.tsx'
import { PharmacyExportPart } from './pharmacy-export.tsx'

type DeleteDialogProps = {
  pharmacy: AdminPharmacy
  /** The pharmacy is deleted: lists are fetched again. */
  onDeleted: () => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

/** Deletes a pharmacy, and offers an export of it. */
export function DeleteDialog({ pharmacy, onDeleted, onClose, onReturnFocus }: DeleteDialogProps) {
  const { mutateAsync } = useEndpointMutation(removePharmacy)

  async function remove() {
    try {
      await mutateAsync({ query: { pharmacyId: pharmacy.id } })
    } catch (reason) {
      // The pharmacy has been deleted elsewhere already.
      const isGone = reason instanceof ApiError && reason.code === 'pharmacies.not_found'
      if (!isGone) throw reason
    }
    await onDeleted()
    toastSuccess('Farmacia eliminata', { description: pharmacy.name })
  }

  return (
    <CodeDialog
      title={`Eliminare la farmacia «${pharmacy.name}»?`}
      text="Sparisce subito ovunque: nessuno può più accedere, e la pagina pubblica non si vede più. Si può ripristinare per 30 giorni; dopo, questa azione non può essere annullata."
      code={pharmacy.pharmacy_id}
      confirm="Elimina"
      confirming="Eliminazione in corso…"
      explain={(error) => `Errore durante l'eliminazione della farmacia. ${problemText(error)}`}
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="flex-1 basis-48 text-sm text-muted">
          Puoi prima esportare tutto quello che le appartiene, anche nei 30 giorni.
        </p>
        <PharmacyExportPart pharmacyId={pharmacy.id} name={pharmacy.name} newest={null} />
      </div>
    </CodeDialog>
  )
}
