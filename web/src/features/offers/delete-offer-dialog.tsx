import { type OfferRecord, removeOffer } from '@bancone/contract/offers'
import { useQueryClient } from '@tanstack/react-query'
import { hasCode } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import type { ModalProps } from '../../lib/use-opened.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { removeCachedOffer } from './offers-cache.ts'

type DeleteOfferDialogProps = ModalProps & {
  offer: OfferRecord
  onDeleted: () => void
}

/** Asks before an offer is removed, which cannot be undone. */
export function DeleteOfferDialog(props: DeleteOfferDialogProps) {
  const { offer, onDeleted, onClose, onReturnFocus } = props
  const client = useQueryClient()
  const { mutateAsync, isPending, error } = useEndpointMutation(removeOffer)

  async function remove() {
    try {
      await mutateAsync({ params: { offerId: offer.id } })
    } catch (reason) {
      // The offer has been removed elsewhere already.
      if (!hasCode(reason, 'offers.not_found')) return
    }
    await removeCachedOffer(client, offer.id)
    toastSuccess('Offerta eliminata', { description: offer.fields.Nome_Prodotto })
    onDeleted()
    onClose()
  }

  const footer = (
    <>
      <Button onClick={onClose}>Annulla</Button>
      <Button look="danger" inactive={isPending} onClick={() => void remove()}>
        {isPending ? 'Eliminazione in corso…' : 'Elimina'}
      </Button>
    </>
  )
  return (
    <Dialog
      title="Sei sicuro di voler eliminare questa offerta?"
      text="Questa azione non può essere annullata. L'offerta verrà rimossa permanentemente dal sistema."
      footer={footer}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <p className="font-medium wrap-anywhere">{offer.fields.Nome_Prodotto}</p>
      {error && !hasCode(error, 'offers.not_found') ? (
        <Alert tone="error">
          <p className="font-medium">Impossibile eliminare l'offerta</p>
          <p>{errorMessage(error)}</p>
        </Alert>
      ) : null}
    </Dialog>
  )
}
