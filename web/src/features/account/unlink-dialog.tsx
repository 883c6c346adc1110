import type { Area } from '../../lib/session-state.ts'
import { problemCode, useAction } from '../../lib/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useInvalidateAccount } from './account-queries.ts'
import { unlink } from './linking.ts'
import type { Identity } from './own-account.ts'

type UnlinkDialogProps = {
  area: Area
  name: string
  identity: Identity
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks before an external sign-in provider is unlinked. */
export function UnlinkDialog({ area, name, identity, onClose, onReturnFocus }: UnlinkDialogProps) {
  const news = useInvalidateAccount(area)
  const ending = useAction('Non è stato possibile scollegare questo accesso. Riprova.')

  async function end() {
    ending.clearFailure()
    await ending.run(async () => {
      try {
        await unlink(area, identity)
      } catch (error) {
        // The identity has been unlinked elsewhere already.
        if (problemCode(error) !== 'identity_not_found') throw error
      }
      news()
      toastSuccess('Accesso scollegato')
      onClose()
    })
  }

  return (
    <Dialog
      title={`Scollegare ${name}?`}
      text={`Non potrai più accedere con ${name}. Restano l'email e la password. Gli altri dispositivi entrati con ${name} verranno disconnessi.`}
      footer={
        <>
          <Button onClick={onClose}>Annulla</Button>
          <Button look="danger" inactive={ending.busy} onClick={() => void end()}>
            {ending.busy ? 'Un momento…' : 'Scollega'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <FailureAlert failure={ending.failure} />
    </Dialog>
  )
}
