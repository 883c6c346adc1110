import {
  type DeletedPharmacy,
  listDeletedPharmacies,
  purgePharmacy,
} from '@bancone/contract/pharmacy-life'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { CodeDialog } from '../../../ui/code-dialog.tsx'
import { toastSuccess } from '../../../ui/toast.ts'

type PurgeDialogProps = {
  pharmacy: DeletedPharmacy
  onClose: () => void
  onReturnFocus: () => void
}

/** Removes a deleted pharmacy for ever. */
export function PurgeDialog({ pharmacy, onClose, onReturnFocus }: PurgeDialogProps) {
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
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
