import { paths } from '@bancone/contract/pages'
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { sessionEnded } from '../../lib/messages.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { Credentials } from './credentials.ts'
import { PasswordField } from './password-field.tsx'
import { requestPasswordReset, signIn } from './sign-in.ts'

type Notice = { tone: 'error' | 'notice' | 'done'; text: string }

const ending: Notice = { tone: 'notice', text: sessionEnded }

/** @param ended the session ended during the work */

export function LoginForm({ ended }: { ended: boolean }) {
  const [notice, setNotice] = useState(ended ? ending : null)
  const [resetting, setResetting] = useState(false)
  const form = useForm({
    resolver: zodResolver(Credentials),
    defaultValues: { email: '', password: '' },
  })
  const { errors, isSubmitting } = form.formState
  const busy = isSubmitting || resetting

  const submit = form.handleSubmit(async (credentials) => {
    setNotice(null)
    const failure = await signIn(credentials)
    if (failure === null) return
    setNotice({ tone: 'error', text: failure })
    form.setFocus('password')
  })

  async function forgot() {
    setNotice(null)
    form.clearErrors('password')
    const email = form.getValues('email').trim()
    if (email === '') {
      form.setError('email', {
        message: 'Inserisci la tua email per richiedere il reset della password.',
      })
      form.setFocus('email')
      return
    }
    if (!(await form.trigger('email', { shouldFocus: true }))) return
    setResetting(true)
    const failure = await requestPasswordReset(email)
    setResetting(false)
    setNotice(
      failure === null
        ? {
            tone: 'done',
            text: "Se l'indirizzo è registrato, tra poco riceverai un'email con il link per scegliere una nuova password.",
          }
        : { tone: 'error', text: failure },
    )
  }

  return (
    <div className="grid flex-1 place-items-center px-4 py-10">
      <div className="w-full max-w-100 rounded-card border border-line bg-surface p-6 sm:p-8">
        <h1 className="text-2xl font-medium tracking-tight">Accedi</h1>
        <p className="mt-1 text-sm text-muted">Gli ordini della tua farmacia, in un solo posto.</p>
        <form noValidate onSubmit={submit} className="mt-6 flex flex-col gap-4">
          {notice && notice.tone !== 'done' ? (
            <Alert tone={notice.tone}>{notice.text}</Alert>
          ) : null}
          {notice?.tone === 'done' ? (
            <p
              role="status"
              className="rounded-card border border-confirmed-line bg-confirmed-soft px-3.5 py-2.5 text-sm text-confirmed"
            >
              {notice.text}
            </p>
          ) : null}
          <TextField
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            error={errors.email?.message}
            {...form.register('email')}
          />
          <PasswordField error={errors.password?.message} {...form.register('password')} />
          <Button type="submit" look="primary" size="large" inactive={busy}>
            {isSubmitting ? 'Accesso in corso...' : 'Accedi'}
          </Button>
          <div className="flex flex-col items-center gap-1 text-center">
            <Button look="link" className="md:h-11" inactive={busy} onClick={() => void forgot()}>
              {resetting ? 'Invio in corso...' : 'Password dimenticata?'}
            </Button>
            <p className="text-sm text-balance text-muted">
              Per reimpostarla scrivi prima la tua email qui sopra, poi premi «Password
              dimenticata?».
            </p>
          </div>
        </form>
        <p className="mt-6 border-t border-line pt-4 text-center text-sm text-muted">
          Come trattiamo i dati:{' '}
          <Link to={paths.privacy} className="font-medium text-accent underline underline-offset-4">
            informativa sulla privacy
          </Link>
        </p>
      </div>
    </div>
  )
}
