import { zodResolver } from '@hookform/resolvers/zod'
import { type Ref, useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { passwordErrorMessage } from '../../lib/auth-messages.ts'
import { formFields } from '../../lib/form-fields.ts'
import { NewPassword } from '../../lib/new-password.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode, useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { NewPasswordFields } from '../../ui/new-password-fields.tsx'
import { HiddenUsername, PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { callAsUser, useInvalidateAccount } from './own-account.ts'

type PasswordSectionProps = {
  area: Area
  /** Of the account. */
  email: string
  heading: Ref<HTMLHeadingElement>
}

/** Changes the password after a re-authentication. */
export function PasswordSection({ area, email, heading }: PasswordSectionProps) {
  const news = useInvalidateAccount(area)
  const [by, setBy] = useState<ReauthenticationMethod>('password')
  const saving = useAction('Non è stato possibile cambiare la password. Riprova.')
  const sending = useAction('Non è stato possibile inviare il codice. Riprova.')
  const form = useForm({
    resolver: zodResolver(passwordChange(by)),
    defaultValues: { proof: '', password: '', repeat: '' },
  })

  function prove(how: ReauthenticationMethod) {
    setBy(how)
    form.resetField('proof')
    saving.clearFailure()
  }

  async function send() {
    saving.clearFailure()
    await sending.run(async () => {
      await requestCode(area)
      prove('code')
      requestAnimationFrame(() => form.setFocus('proof'))
    })
  }

  const submit = form.handleSubmit((change) => {
    sending.clearFailure()
    return saving.run(async () => {
      const refusal = await changePassword(area, by, change)
      if (refusal) {
        form.setError(refusal.field, { message: refusal.text })
        form.setFocus(refusal.field, { shouldSelect: true })
        return
      }
      form.reset()
      setBy('password')
      news()
      toastSuccess('Password aggiornata', { description: 'Gli altri dispositivi sono usciti.' })
    })
  })

  const proof = { required: true, ...formFields(form)('proof') }
  return (
    <CardSection
      title="Password"
      intro="Quando la cambi, tutti gli altri dispositivi escono: dovranno accedere con quella nuova."
      heading={heading}
    >
      <FormProvider {...form}>
        <form noValidate onSubmit={submit} className="flex max-w-108 flex-col gap-5">
          <FailureAlert failure={saving.failure ?? sending.failure} />
          <HiddenUsername email={email} />
          <div className="flex flex-col items-start gap-1 *:w-full">
            {by === 'password' ? (
              <PasswordField label="Password attuale" what="la password attuale" {...proof} />
            ) : (
              <>
                <Alert tone="done">
                  Ti abbiamo inviato un codice a <strong className="wrap-anywhere">{email}</strong>.
                  Vale un quarto d'ora.
                </Alert>
                <TextField
                  label="Codice ricevuto per email"
                  className="mt-3"
                  inputMode="numeric"
                  autoComplete="one-time-code"
                  spellCheck={false}
                  {...proof}
                />
              </>
            )}
            <div className="flex flex-wrap gap-x-4">
              <Button
                look="link"
                size="bare"
                className="min-h-11 shrink! text-left whitespace-normal! md:min-h-8"
                inactive={sending.busy}
                onClick={() => void send()}
              >
                {by === 'password'
                  ? sending.busy
                    ? 'Invio del codice in corso…'
                    : 'Non ricordi la password attuale? Ricevi un codice'
                  : sending.busy
                    ? 'Invio in corso…'
                    : 'Invia un altro codice'}
              </Button>
              {by === 'code' ? (
                <Button
                  look="link"
                  size="bare"
                  className="min-h-11 md:min-h-8"
                  onClick={() => prove('password')}
                >
                  Usa la password attuale
                </Button>
              ) : null}
            </div>
          </div>
          <NewPasswordFields
            email={email}
            what="la nuova password"
            repeatLabel="Ripeti la nuova password"
          />
          <Button type="submit" look="primary" className="self-start" inactive={saving.busy}>
            {saving.busy ? 'Salvataggio in corso…' : 'Cambia la password'}
          </Button>
        </form>
      </FormProvider>
    </CardSection>
  )
}

/** How a user re-authenticates: with the current password, or with a code sent by mail. */
type ReauthenticationMethod = 'password' | 'code'

const missing: Record<ReauthenticationMethod, string> = {
  password: 'Scrivi la password attuale.',
  code: 'Scrivi il codice che ti abbiamo inviato per email.',
}

function passwordChange(proof: ReauthenticationMethod) {
  return z.safeExtend(NewPassword, {
    proof: z.string().check(z.trim(), z.minLength(1, missing[proof])),
  })
}

type Change = { proof: string; password: string }

/**
 * Null when the password was changed; otherwise the invalid field and the reason. @throws errors that concern no
 * field
 */
async function changePassword(
  area: Area,
  by: ReauthenticationMethod,
  { proof, password }: Change,
): Promise<{ field: 'proof' | 'password'; text: string } | null> {
  const proven = by === 'password' ? { current_password: proof } : { nonce: proof }
  try {
    await callAsUser(area, (auth) => auth.updateUser({ password, ...proven }))
    return null
  } catch (error) {
    const code = problemCode(error)
    if (code === 'current_password_invalid') {
      return { field: 'proof', text: 'La password attuale non è corretta.' }
    }
    if (code === 'reauthentication_not_valid') {
      return { field: 'proof', text: 'Il codice è scaduto o non è corretto. Chiedine uno nuovo.' }
    }
    const text = passwordErrorMessage(error)
    if (text !== null) return { field: 'password', text }
    throw error
  }
}

/** Sends a code by mail, for users who have forgotten the password. */
async function requestCode(area: Area): Promise<void> {
  await callAsUser(area, (auth) => auth.reauthenticate())
}
