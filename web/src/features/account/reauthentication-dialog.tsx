import { zodResolver } from '@hookform/resolvers/zod'
import type { ComponentProps } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { sessions } from '../../lib/session.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode, useAction } from '../../lib/use-action.ts'
import { FormDialog } from '../../ui/form-dialog.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { callAsUser } from './own-account.ts'

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

/** The form of a re-authentication. */
export const ReauthenticationInput = z.object({
  password: z.string().check(z.minLength(1, 'Scrivi la tua password.')),
})

/** Null when the password is right: the service then allows what it refuses to an older session. @throws AuthError */
export async function reauthenticate(area: Area, password: string): Promise<string | null> {
  try {
    await callAsUser(area, (auth) => auth.updateUser({ current_password: password }))
    return null
  } catch (error) {
    if (problemCode(error) === 'current_password_invalid') return 'La password non è corretta.'
    throw error
  }
}

type ReauthenticationFieldProps = Omit<ComponentProps<typeof PasswordField>, 'label' | 'hint'> & {
  area: Area
}

/** The field of a form that asks the signed-in user for the password. */
export function ReauthenticationField({ area, ...field }: ReauthenticationFieldProps) {
  return (
    <>
      {/* Tells password managers the account. */}
      <input
        hidden
        type="text"
        name="username"
        autoComplete="username"
        value={sessions[area].current()?.email ?? ''}
        readOnly
      />
      <PasswordField
        label="La tua password"
        hint="Non la ricordi? In «Password» puoi cambiarla con un codice ricevuto per email."
        {...field}
      />
    </>
  )
}
