import type { Area } from '../../lib/session-state.ts'
import { problemCode } from '../../lib/use-action.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useInvalidateAccount } from './account-queries.ts'
import { removeApp } from './enrolment.ts'
import type { AuthenticatorApp } from './own-account.ts'

const withOthers =
  "I codici di quest'app non varranno più. Se sei entrato con questa, ti chiederemo subito il codice di un'altra."
const last =
  'È la tua unica app: per accedere basterà la password, e anche i codici di recupero non varranno più.'

type RemoveAppDialogProps = {
  area: Area
  app: AuthenticatorApp
  isLast: boolean
  onClose: () => void
  onReturnFocus: () => void
}

/** Removes an authenticator app. */
export function RemoveAppDialog(props: RemoveAppDialogProps) {
  const { area, app, isLast, onClose, onReturnFocus } = props
  const news = useInvalidateAccount(area)

  async function remove() {
    try {
      await removeApp(area, app.id)
    } catch (error) {
      // The app has been removed elsewhere already.
      if (problemCode(error) !== 'mfa_factor_not_found') throw error
    }
    news()
    toastSuccess(isLast ? 'Verifica in due passaggi disattivata' : 'App rimossa')
  }

  return (
    <ConfirmDialog
      title={isLast ? 'Disattivare la verifica in due passaggi?' : `Rimuovere «${app.name}»?`}
      text={isLast ? last : withOthers}
      confirm={isLast ? 'Disattiva' : 'Rimuovi'}
      confirming="Rimozione in corso…"
      otherwise="Non è stato possibile rimuovere l'app. Riprova."
      onConfirm={remove}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    />
  )
}
