import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { Area } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { ReauthenticationInput, reauthenticate } from './reauthenticate.ts'
import { ReauthenticationField } from './reauthentication-field.tsx'

type ReauthenticationDialogProps = {
  area: Area
  /** Completes the sentence of the dialog, as in 'Per attivarla'. */
  purpose: string
  onConfirmed: () => void
  onClose: () => void
  onReturnFocus: () => void
}

/** Asks for the password before an action that an unattended session must not allow. */
export function ReauthenticationDialog({
  area,
  purpose,
  onConfirmed,
  ...dialog
}: ReauthenticationDialogProps) {
  const action = useAction('Non è stato possibile verificare la password. Riprova.')
  const form = useForm({
    resolver: zodResolver(ReauthenticationInput),
    defaultValues: { password: '' },
  })

  const submit = form.handleSubmit(({ password }) => {
    action.clearFailure()
    return action.run(async () => {
      const refusal = await reauthenticate(area, password)
      if (refusal === null) return onConfirmed()
      form.setError('password', { message: refusal })
      form.setFocus('password', { shouldSelect: true })
    })
  })

  return (
    <FormDialog
      title="Conferma che sei tu"
      text={`${purpose} scrivi la tua password: così non può farlo chi trova questo computer incustodito.`}
      confirm="Continua"
      confirming="Verifica in corso…"
      busy={action.busy}
      failure={action.failure}
      onSubmit={submit}
      {...dialog}
    >
      <ReauthenticationField
        area={area}
        error={form.formState.errors.password?.message}
        {...form.register('password')}
      />
    </FormDialog>
  )
}
