import { type Colleague, removeColleague } from '@bancone/contract/colleagues'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type RemoveDialogProps = {
  colleague: Colleague
  onRemoved: (colleague: Colleague) => Promise<void>
  onClose: () => void
  onReturnFocus: () => void
}

const leaves =
  "Esce subito da tutti i dispositivi e non potrà più entrare. Ciò che ha fatto resta: nella cronologia degli ordini e nelle note c'è ancora il suo nome."
const neverCame =
  'Il link che ha ricevuto smette di funzionare subito. Potrai invitare di nuovo questo indirizzo quando vuoi.'

function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'colleagues.not_found'
}

/** Removes a colleague. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { colleague, onRemoved, onClose, onReturnFocus } = props
  const { mutateAsync, error } = useEndpointMutation(removeColleague)
  useRoleRefresh(error)

  async function remove() {
    try {
      await mutateAsync({ params: { colleagueId: colleague.id } })
    } catch (reason) {
      // The colleague has been removed elsewhere already.
      if (!isGone(reason)) throw reason
    }
    await onRemoved(colleague)
  }

  return (
    <ConfirmDialog
      title={`Rimuovere ${colleague.name}?`}
      text={colleague.hasJoined ? leaves : neverCame}
      confirm="Rimuovi"
      confirming="Rimozione in corso…"
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <p className="text-sm text-muted wrap-anywhere">{colleague.email}</p>
    </ConfirmDialog>
  )
}
