import { zodResolver } from '@hookform/resolvers/zod'
import type { ComponentProps } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { formFields } from '../../lib/form-fields.ts'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode, useAction } from '../../lib/use-action.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { HiddenUsername, PasswordField } from '../../ui/password-field.tsx'
import { callAsUser } from './own-account.ts'

type Dialog = ComponentProps<typeof FormDialog>

type ReauthenticationDialogProps = Pick<Dialog, 'text' | 'onClose' | 'onReturnFocus'> &
  Partial<Pick<Dialog, 'title' | 'confirm' | 'confirming' | 'look'>> & {
    area: Area
    /** Text for an unknown error of the authentication service. */
    otherwise?: string
    /** @throws when what was confirmed has failed: the dialog stays open and shows the error */
    onConfirmed: () => void | Promise<void>
  }

/** The text of the dialog where it is a step before the action, which completes the sentence. */
export function textBefore(purpose: string): string {
  return `${purpose} scrivi la tua password: così non può farlo chi trova questo computer incustodito.`
}

/** Asks for the password before an action that an unattended session must not allow. */
export function ReauthenticationDialog({
  area,
  otherwise = 'Non è stato possibile verificare la password. Riprova.',
  onConfirmed,
  ...dialog
}: ReauthenticationDialogProps) {
  const action = useAction(otherwise)
  const form = useForm({
    resolver: zodResolver(ReauthenticationInput),
    defaultValues: { password: '' },
  })

  const submit = form.handleSubmit(({ password }) => {
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
      confirm="Continua"
      confirming="Verifica in corso…"
      busy={action.busy}
      failure={action.failure}
      onSubmit={submit}
      {...dialog}
    >
      <HiddenUsername email={sessions[area].current()?.email ?? ''} />
      <PasswordField
        label="La tua password"
        hint="Non la ricordi? In «Password» puoi cambiarla con un codice ricevuto per email."
        {...formFields(form)('password')}
      />
    </FormDialog>
  )
}

/** The form of a re-authentication. */
const ReauthenticationInput = z.object({
  password: z.string().check(z.minLength(1, 'Scrivi la tua password.')),
})

/** Null when the password is right: the service then allows what it refuses to an older session. @throws AuthError */
async function reauthenticate(area: Area, password: string): Promise<string | null> {
  try {
    await callAsUser(area, (auth) => auth.updateUser({ current_password: password }))
    return null
  } catch (error) {
    if (problemCode(error) === 'current_password_invalid') return 'La password non è corretta.'
    throw error
  }
}
