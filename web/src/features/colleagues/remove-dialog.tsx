import { type Colleague, removeColleague } from '@bancone/contract/colleagues'
import { ApiError } from '../../lib/api.ts'
import { useEndpointMutation } from '../../lib/endpoint-query.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useRoleRefresh } from '../../lib/use-role-refresh.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

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

/** Asks before a colleague is removed, which cannot be undone. */
export function RemoveDialog(props: RemoveDialogProps) {
  const { colleague, onRemoved, onClose, onReturnFocus } = props
  const { mutateAsync, isPending, error } = useEndpointMutation(removeColleague)
  useRoleRefresh(error)

  async function remove() {
    try {
      await mutateAsync({ params: { colleagueId: colleague.id } })
    } catch (reason) {
      // The colleague has been removed elsewhere already.
      if (!isGone(reason)) return
    }
    await onRemoved(colleague)
    onClose()
  }

  return (
    <Dialog
      title={`Rimuovere ${colleague.name}?`}
      text={colleague.hasJoined ? leaves : neverCame}
      footer={
        <>
          <Button onClick={onClose}>Annulla</Button>
          <Button look="danger" inactive={isPending} onClick={() => void remove()}>
            {isPending ? 'Rimozione in corso…' : 'Rimuovi'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <p className="text-sm text-muted wrap-anywhere">{colleague.email}</p>
      {error && !isGone(error) ? <Alert tone="error">{errorMessage(error)}</Alert> : null}
    </Dialog>
  )
}
