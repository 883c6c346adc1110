import type { Area } from '../../lib/session-state.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastResult } from '../../ui/toast.ts'
import { useAccountNews } from './account-news.ts'
import { Problem } from './account-section.tsx'
import { unlink } from './linking.ts'
import type { Identity } from './own-account.ts'
import { problemCode, useAction } from './use-action.ts'

type UnlinkDialogProps = {
  area: Area
  name: string
  identity: Identity
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks before somebody can sign in with another service no more. */
export function UnlinkDialog({ area, name, identity, onClose, onReturnFocus }: UnlinkDialogProps) {
  const news = useAccountNews(area)
  const ending = useAction('Non è stato possibile scollegare questo accesso. Riprova.')

  async function end() {
    ending.forget()
    await ending.run(async () => {
      try {
        await unlink(area, identity)
      } catch (error) {
        // It was ended elsewhere: that is what was wanted.
        if (problemCode(error) !== 'identity_not_found') throw error
      }
      news()
      toastResult('Accesso scollegato')
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
      <Problem of={ending.failure} />
    </Dialog>
  )
}
