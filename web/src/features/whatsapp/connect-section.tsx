import { paths } from '@bancone/contract/pages'
import {
  connectWhatsAppManually,
  getWhatsApp,
  WHATSAPP_TIME_LIMIT_MS,
  type WhatsAppLogin,
} from '@bancone/contract/whatsapp'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { LoaderCircle, LogIn, MessageCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { updateCached } from '../../lib/endpoint-query.ts'
import { formFields } from '../../lib/form-fields.ts'
import { useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { type SignupState, useSignup } from './use-signup.ts'

type ConnectSectionProps = {
  login: WhatsAppLogin
  isAgain: boolean
  /** Gets the name of the account. */
  onConnected: (account: string) => void
}

/** The login at Meta in two clicks: the first loads Meta's script, the second opens its window. */
export function ConnectSection({ login, isAgain, onConnected }: ConnectSectionProps) {
  const signup = useSignup(login, onConnected)
  const { state, prepare, start, cancel } = signup
  const connectButton = useRef<HTMLButtonElement>(null)
  const isReady = signup.isPrepared()
  const isBusy = state.kind === 'loading' || state.kind === 'waiting' || state.kind === 'exchanging'

  useEffect(() => {
    // The button that had the focus has done its work.
    if (state.kind === 'ready') connectButton.current?.focus()
  }, [state.kind])

  return (
    <section
      aria-labelledby="whatsapp-connect"
      className="flex flex-col gap-4 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <h2 id="whatsapp-connect" className="text-lg font-medium tracking-tight">
        {isAgain ? 'Ricollega il numero' : 'Collega il numero della farmacia'}
      </h2>
      <div className="rounded-card border border-pending-line bg-pending-soft px-3.5 py-2.5 text-sm text-pending">
        <p className="font-medium">Prima di collegare</p>
        <ul className="mt-1 list-disc pl-5 text-pretty">
          <li>Serve un account Facebook che gestisce la tua attività, e il telefono del numero.</li>
          <li>
            Se il numero è nell'app WhatsApp Business, nella finestra scegli di collegare l'app:
            potrai continuare a usarla. Altrimenti il numero esce dall'app.
          </li>
          <li>
            Bancone riceve il nome e il numero di chi scrive, e mostra solo i messaggi di chi ha un
            ordine o ha dato il consenso. Da solo non manda messaggi a nessuno.
          </li>
          <li>
            «Accedi con Facebook» carica in questa pagina uno script di Meta, che riceve il tuo
            indirizzo IP e può usare cookie.
          </li>
        </ul>
      </div>
      <p className="text-sm text-pretty text-muted">
        Che cosa facciamo dei dati è scritto nella{' '}
        <a
          href={paths.privacy}
          target="_blank"
          rel="noopener"
          className="text-accent underline underline-offset-4"
        >
          Privacy Policy
        </a>
        .
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          look={isReady ? 'secondary' : 'primary'}
          className="max-sm:w-full"
          inactive={isReady || isBusy}
          onClick={() => void prepare()}
        >
          <LogIn aria-hidden />
          Accedi con Facebook
        </Button>
        <Button
          ref={connectButton}
          look={isReady ? 'primary' : 'secondary'}
          className="max-sm:w-full"
          inactive={!isReady || isBusy}
          onClick={start}
        >
          <MessageCircle aria-hidden />
          Connetti WhatsApp Business
        </Button>
      </div>
      <SignupBox state={state} onCancel={cancel} />
      <ManualForm onConnected={onConnected} />
    </section>
  )
}

const progress: Partial<Record<SignupState['kind'], string>> = {
  loading: 'Caricamento di Facebook…',
  waiting: 'Completa il collegamento nella finestra di Facebook.',
  exchanging: 'Connessione in corso… può durare qualche secondo.',
}

/** How far the login is. */
function SignupBox({ state, onCancel }: { state: SignupState; onCancel: () => void }) {
  const busy = progress[state.kind]
  if (state.kind === 'failed')
    return (
      <Alert tone="error">
        <p className="font-medium">Errore di connessione</p>
        <p>{state.text}</p>
      </Alert>
    )
  if (state.kind === 'denied' || state.kind === 'stopped')
    return (
      <Alert tone="notice">
        <p className="font-medium">
          {state.kind === 'denied' ? 'Autorizzazione negata' : 'Collegamento interrotto'}
        </p>
        <p>{state.text}</p>
      </Alert>
    )
  return (
    // Always there, so that screen readers read what appears in it.
    <div role="status">
      {busy ? (
        <div className="flex flex-wrap items-center gap-3 rounded-card border border-line bg-sunken px-3.5 py-2.5 text-sm">
          <LoaderCircle aria-hidden className="size-4 animate-spin motion-reduce:animate-none" />
          <p className="min-w-0 flex-1 basis-48">{busy}</p>
          {state.kind === 'waiting' ? (
            <Button size="small" onClick={onCancel}>
              Annulla
            </Button>
          ) : null}
        </div>
      ) : null}
      {state.kind === 'ready' ? (
        <p className="text-sm text-muted">Facebook è pronto: premi «Connetti WhatsApp Business».</p>
      ) : null}
    </div>
  )
}

function fieldMessage({ path }: { path?: PropertyKey[] | undefined }): string {
  return path?.[0] === 'token'
    ? 'Incolla il token intero, senza spazi.'
    : "Scrivi l'id, fatto solo di cifre."
}

/** Connects with the token of a system user, for as long as the login is not open to the application. */
function ManualForm({ onConnected }: { onConnected: (account: string) => void }) {
  const client = useQueryClient()
  const { busy, failure, run } = useAction()
  const form = useForm({
    resolver: zodResolver(connectWhatsAppManually.body, { error: fieldMessage }),
    defaultValues: { token: '', wabaId: '', phoneNumberId: '' },
  })
  const field = formFields(form)

  const submit = form.handleSubmit((body) =>
    run(async () => {
      // Bypasses the cache: the token must not be stored.
      const timeoutMs = WHATSAPP_TIME_LIMIT_MS
      const { connection } = await call(connectWhatsAppManually, { body }, { timeoutMs })
      await updateCached(client, getWhatsApp, (before) => ({ ...before, connection }))
      onConnected(connection.accountName ?? body.wabaId)
    }),
  )

  return (
    <details className="group border-t border-line pt-2">
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control text-sm font-medium text-muted hover:text-ink">
        Collega a mano
      </summary>
      <form noValidate onSubmit={submit} className="mt-2 flex flex-col gap-4">
        <p className="text-sm text-pretty text-muted">
          Con il token di un utente di sistema di Meta, se l'accesso con Facebook non è disponibile.
          Li trovi in Gestione attività e in Gestione WhatsApp.
        </p>
        <FailureAlert failure={failure} />
        <PasswordField label="Token" what="il token" autoComplete="off" {...field('token')} />
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="Id dell'account WhatsApp Business"
            inputMode="numeric"
            autoComplete="off"
            {...field('wabaId')}
          />
          <TextField
            label="Id del numero"
            inputMode="numeric"
            autoComplete="off"
            {...field('phoneNumberId')}
          />
        </div>
        <Button type="submit" className="self-start max-sm:w-full" inactive={busy}>
          {busy ? 'Connessione in corso…' : 'Collega con il token'}
        </Button>
      </form>
    </details>
  )
}
