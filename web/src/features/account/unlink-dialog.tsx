import type { Area } from '../../lib/session-state.ts'
import { problemCode } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
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

/** Unlinks an external sign-in provider. */
export function UnlinkDialog({ area, name, identity, onClose, onReturnFocus }: UnlinkDialogProps) {
  const news = useInvalidateAccount(area)

  async function end() {
    try {
      await unlink(area, identity)
    } catch (error) {
      // The identity has been unlinked elsewhere already.
      if (problemCode(error) !== 'identity_not_found') throw error
    }
    news()
    toastSuccess('Accesso scollegato')
  }

  return (
    <ConfirmDialog
      title={`Scollegare ${name}?`}
      text={`Non potrai più accedere con ${name}. Restano l'email e la password. Gli altri dispositivi entrati con ${name} verranno disconnessi.`}
      confirm="Scollega"
      confirming="Un momento…"
      otherwise="Non è stato possibile scollegare questo accesso. Riprova."
      onConfirm={end}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
