import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { Area } from '../../lib/session-state.ts'
import { problemCode, useAction } from '../../lib/use-action.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { useInvalidateAccount } from './account-queries.ts'
import { removeApp } from './enrolment.ts'
import type { AuthenticatorApp } from './own-account.ts'
import { ReauthenticationInput, reauthenticate } from './reauthenticate.ts'
import { ReauthenticationField } from './reauthentication-field.tsx'

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

/** Asks before an authenticator app is removed, for the password too: an unattended session must not suffice. */
export function RemoveAppDialog(props: RemoveAppDialogProps) {
  const { area, app, isLast, onClose, onReturnFocus } = props
  const news = useInvalidateAccount(area)
  const removing = useAction("Non è stato possibile rimuovere l'app. Riprova.")
  const form = useForm({
    resolver: zodResolver(ReauthenticationInput),
    defaultValues: { password: '' },
  })

  const submit = form.handleSubmit(({ password }) => {
    removing.clearFailure()
    return removing.run(async () => {
      const refusal = await reauthenticate(area, password)
      if (refusal !== null) {
        form.setError('password', { message: refusal })
        form.setFocus('password', { shouldSelect: true })
        return
      }
      try {
        await removeApp(area, app.id)
      } catch (error) {
        // The app has been removed elsewhere already.
        if (problemCode(error) !== 'mfa_factor_not_found') throw error
      }
      news()
      toastSuccess(isLast ? 'Verifica in due passaggi disattivata' : 'App rimossa')
      onClose()
    })
  })

  return (
    <FormDialog
      title={isLast ? 'Disattivare la verifica in due passaggi?' : `Rimuovere «${app.name}»?`}
      text={isLast ? last : withOthers}
      confirm={isLast ? 'Disattiva' : 'Rimuovi'}
      confirming="Rimozione in corso…"
      look="danger"
      busy={removing.busy}
      failure={removing.failure}
      onSubmit={submit}
      onClose={onClose}
      onReturnFocus={onReturnFocus}
    >
      <ReauthenticationField
        area={area}
        error={form.formState.errors.password?.message}
        {...form.register('password')}
      />
    </FormDialog>
  )
}
