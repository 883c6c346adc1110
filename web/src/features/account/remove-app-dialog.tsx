import type { Area } from '../../lib/session-state.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { toastResult } from '../../ui/toast.ts'
import { useAccountNews } from './account-news.ts'
import { Problem } from './account-section.tsx'
import { removeApp } from './enrolment.ts'
import type { CodeApp } from './own-account.ts'
import { problemCode, useAction } from './use-action.ts'

const withOthers =
  "I codici di quest'app non varranno più. Se sei entrato con questa, ti chiederemo subito il codice di un'altra."
const last =
  'È la tua unica app: per accedere basterà la password, e anche i codici di recupero non varranno più.'

type RemoveAppDialogProps = {
  area: Area
  app: CodeApp
  isLast: boolean
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks before an app is taken away, whose codes are worth nothing then. */
export function RemoveAppDialog(props: RemoveAppDialogProps) {
  const { area, app, isLast, onClose, onReturnFocus } = props
  const news = useAccountNews(area)
  const removing = useAction("Non è stato possibile rimuovere l'app. Riprova.")

  async function remove() {
    removing.forget()
    await removing.run(async () => {
      try {
        await removeApp(area, app.id)
      } catch (error) {
        // It was taken away elsewhere: that is what was wanted.
        if (problemCode(error) !== 'mfa_factor_not_found') throw error
      }
      news()
      toastResult(isLast ? 'Verifica in due passaggi disattivata' : 'App rimossa')
      onClose()
    })
  }

  return (
    <Dialog
      title={isLast ? 'Disattivare la verifica in due passaggi?' : `Rimuovere «${app.name}»?`}
      text={isLast ? last : withOthers}
      footer={
        <>
          <Button onClick={onClose}>Annulla</Button>
          <Button look="danger" inactive={removing.busy} onClick={() => void remove()}>
            {removing.busy ? 'Rimozione in corso…' : isLast ? 'Disattiva' : 'Rimuovi'}
          </Button>
        </>
      }
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <Problem of={removing.failure} />
    </Dialog>
  )
}
