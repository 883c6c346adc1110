import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { formFields } from '../../lib/form-fields.ts'
import type { Area } from '../../lib/session-state.ts'
import { useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { SessionCard } from './session-card.tsx'
import { Credentials, requestPasswordReset, resetFailed } from './sign-in.ts'

export type Notice = { tone: 'error' | 'notice' | 'done'; text: string }

const resetSent =
  "Se l'indirizzo è registrato, tra poco riceverai un'email con il link per scegliere una nuova password."

type SignInFormProps = {
  area: Area
  title: string
  intro: string
  /** Initial notice. */
  notice: Notice | null
  /** Opens on the form for a recovery link. */
  forgot: boolean
  /** It replaces the focused element. */
  takesFocus?: boolean
  /** Null on success, otherwise the error text. */
  onSignIn: (credentials: Credentials) => Promise<string | null>
  /** External sign-in providers. */
  externalProviders?: ReactNode
  footer?: ReactNode
}

export function SignInForm(props: SignInFormProps) {
  const {
    area,
    title,
    intro,
    notice: first,
    forgot,
    takesFocus,
    onSignIn,
    externalProviders,
    footer,
  } = props
  const { busy: resetting, failure, fail, run } = useAction(resetFailed)
  // The first notice stays until another message replaces it.
  const [firstNotice] = useState(first)
  const [resetMails, setResetMails] = useState(0)
  const form = useForm({
    resolver: zodResolver(Credentials),
    defaultValues: { email: '', password: '' },
  })
  const { setFocus } = form
  const { isSubmitting } = form.formState
  const field = formFields(form)
  const busy = isSubmitting || resetting

  useEffect(() => {
    if (forgot) setFocus('email')
  }, [forgot, setFocus])

  const submit = form.handleSubmit(async (credentials) => {
    const reason = await onSignIn(credentials)
    if (reason === null) return
    fail(reason)
    setFocus('password')
  })

  async function reset() {
    form.clearErrors('password')
    const email = form.getValues('email').trim()
    if (email === '') {
      form.setError('email', {
        message: 'Inserisci la tua email per richiedere il reset della password.',
      })
      setFocus('email')
      return
    }
    if (!(await form.trigger('email', { shouldFocus: true }))) return
    await run(async () => {
      await requestPasswordReset(area, email)
      setResetMails((count) => count + 1)
    })
  }

  const notice = resetMails > 0 ? ({ tone: 'done', text: resetSent } as const) : firstNotice

  return (
    <SessionCard title={title} intro={intro} footer={footer} takesFocus={takesFocus}>
      <form noValidate onSubmit={submit} className="mt-6 flex flex-col gap-4">
        <FailureAlert failure={failure} />
        {notice && failure === null ? (
          <Alert key={resetMails} tone={notice.tone}>
            {notice.text}
          </Alert>
        ) : null}
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          spellCheck={false}
          required
          {...field('email')}
        />
        <PasswordField label="Password" {...field('password')} />
        <Button type="submit" look="primary" size="large" inactive={busy}>
          {isSubmitting ? 'Accesso in corso...' : 'Accedi'}
        </Button>
        <div className="flex flex-col items-center gap-1 text-center">
          <Button look="link" className="md:h-11" inactive={busy} onClick={() => void reset()}>
            {resetting ? 'Invio in corso...' : 'Password dimenticata?'}
          </Button>
          <p className="text-sm text-balance text-muted">
            Per reimpostarla scrivi prima la tua email qui sopra, poi premi «Password dimenticata?».
          </p>
        </div>
      </form>
      {externalProviders}
    </SessionCard>
  )
}
