import {
  getPharmacyAccount,
  type PharmacyAccount,
  readOrdersAgain,
  resetSecondFactors,
  sendPharmacyLink,
} from '@bancone/contract/pharmacy-actions'
import { useQueryClient } from '@tanstack/react-query'
import { endpointKey, useEndpointMutation } from '../../lib/endpoint-query.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'

type ActionDialogProps = {
  pharmacyId: string
  account: PharmacyAccount
  onClose: () => void
  onReturnFocus: () => void
}

export function SendLinkDialog({ pharmacyId, account, ...dialog }: ActionDialogProps) {
  const { mutateAsync } = useEndpointMutation(sendPharmacyLink)

  async function send() {
    const { sent } = await mutateAsync({ params: { pharmacyId } })
    toastSuccess(sent === 'invitation' ? 'Invito inviato' : 'Link inviato')
  }

  return (
    <ConfirmDialog
      title={account.hasJoined ? 'Inviare il link per la password?' : "Inviare di nuovo l'invito?"}
      text={
        account.hasJoined
          ? `${account.email} riceve un link per scegliere una nuova password. Quella di adesso resta valida fino ad allora.`
          : `${account.email} riceve un nuovo invito. Il link di prima non vale più.`
      }
      confirm="Invia"
      confirming="Invio in corso…"
      onConfirm={send}
      {...dialog}
    />
  )
}

export function ResetFactorsDialog({ pharmacyId, account, ...dialog }: ActionDialogProps) {
  const client = useQueryClient()
  const { mutateAsync } = useEndpointMutation(resetSecondFactors)

  async function reset() {
    const changed = await mutateAsync({ params: { pharmacyId } })
    client.setQueryData(endpointKey(getPharmacyAccount, { params: { pharmacyId } }), changed)
    toastSuccess('Verifica in due passaggi azzerata')
  }

  return (
    <ConfirmDialog
      title="Azzerare la verifica in due passaggi?"
      text={`Per accedere come ${account.email} basterà la password, finché la verifica non viene attivata di nuovo. Fallo solo se hai riconosciuto chi lo chiede: lo avvisiamo con un'email.`}
      confirm="Azzera"
      confirming="In corso…"
      onConfirm={reset}
      {...dialog}
    />
  )
}

export function ReadOrdersDialog({ pharmacyId, account: _, ...dialog }: ActionDialogProps) {
  const { mutateAsync } = useEndpointMutation(readOrdersAgain)

  async function read() {
    await mutateAsync({ params: { pharmacyId } })
    toastSuccess('Rilettura degli ordini avviata')
  }

  return (
    <ConfirmDialog
      title="Rileggere tutti gli ordini?"
      text="Gli ordini vengono letti di nuovo da Airtable, dal primo all'ultimo. Con molti ordini servono alcuni minuti; intanto la farmacia lavora come sempre."
      confirm="Rileggi"
      confirming="Avvio in corso…"
      onConfirm={read}
      {...dialog}
    />
  )
}
