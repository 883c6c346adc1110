import { zodResolver } from '@hookform/resolvers/zod'
import { FormProvider, useForm } from 'react-hook-form'
import { askAuth, isSessionLost } from '../../lib/ask-auth.ts'
import { authErrorMessage, passwordErrorMessage } from '../../lib/auth-messages.ts'
import { NewPassword } from '../../lib/new-password.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode } from '../../lib/use-action.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { NewPasswordFields } from '../../ui/new-password-fields.tsx'
import { HiddenUsername } from '../../ui/password-field.tsx'
import { areas } from './areas.ts'

type NewPasswordFormProps = {
  area: Area
  /** Of the account. */
  email: string
  onSaved: () => void
  /** A new link is required; `reason` says why. */
  onOver: (reason: string) => void
}

export function NewPasswordForm({ area, email, onSaved, onOver }: NewPasswordFormProps) {
  const { failure, fail, clearFailure } = useFailure()
  const form = useForm({
    resolver: zodResolver(NewPassword),
    defaultValues: { password: '', repeat: '' },
  })
  const { isSubmitting } = form.formState

  const submit = form.handleSubmit(async (chosen) => {
    const outcome = await saveNewPassword(area, chosen.password)
    if (outcome.kind === 'saved') return onSaved()
    if (outcome.kind === 'over') return onOver(outcome.text)
    if (outcome.kind === 'refused') {
      clearFailure()
      form.setError('password', { message: outcome.text })
      form.setFocus('password')
    } else {
      fail(outcome.text)
    }
  })

  return (
    <FormProvider {...form}>
      <form noValidate onSubmit={submit} className="mt-6 flex flex-col gap-5">
        <FailureAlert failure={failure} />
        <HiddenUsername email={email} />
        <NewPasswordFields email={email} repeatLabel="Ripeti la password" />
        <Button type="submit" look="primary" size="large" inactive={isSubmitting}>
          {isSubmitting ? 'Salvataggio in corso...' : 'Salva la nuova password'}
        </Button>
      </form>
    </FormProvider>
  )
}

/**
 * 'refused': another password may be accepted. 'over': the session no longer permits it, a new link is required.
 * 'failed': may be retried.
 */
type Outcome = { kind: 'saved' } | { kind: 'refused' | 'over' | 'failed'; text: string }

const linkOver = 'La sessione aperta dal link è scaduta: per la nuova password serve un altro link.'

const linkLate = 'È passato troppo tempo da quando hai aperto il link: chiedine uno nuovo.'

async function saveNewPassword(area: Area, password: string): Promise<Outcome> {
  const store = areas[area].session
  const before = store.current()
  const { error } = await askAuth(area, (auth) => auth.updateUser({ password }))
  if (!error) return { kind: 'saved' }
  const refusal = passwordErrorMessage(error)
  if (refusal !== null) return { kind: 'refused', text: refusal }
  const code = problemCode(error)
  if (isSessionLost(error)) {
    if (before) store.invalidate(before.accessToken)
    return { kind: 'over', text: linkOver }
  }
  if (code === 'reauthentication_needed') return { kind: 'over', text: linkLate }
  // A second factor was added elsewhere: the page asks for it after the refresh.
  if (code === 'insufficient_aal' && before)
    await store.refreshAfterInsufficientAal(before.accessToken)
  const text = authErrorMessage(error, 'Non è stato possibile salvare la password. Riprova.')
  return { kind: 'failed', text }
}
