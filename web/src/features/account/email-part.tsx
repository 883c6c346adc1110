import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import { formFields } from '../../lib/form-fields.ts'
import { formatDateTime } from '../../lib/format.ts'
import type { Area } from '../../lib/session-state.ts'
import { problemCode, problemText, useAction } from '../../lib/use-action.ts'
import { useNow } from '../../lib/use-now.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { toastSuccess } from '../../ui/toast.ts'
import { accountPaths, callAsUser, type OwnAccount, useInvalidateAccount } from './own-account.ts'

/** Lifetime of the confirmation links. */
const WAITED_MS = 24 * 3_600_000

function newAddress(email: string) {
  return z.object({
    email: z
      .pipe(
        z.string().check(z.trim(), z.minLength(1, 'Scrivi il nuovo indirizzo email.')),
        z.email("Controlla l'indirizzo email: non è completo."),
      )
      .check(
        z.refine(
          (address) => address.toLowerCase() !== email.toLowerCase(),
          "È l'indirizzo che usi già: scrivine un altro.",
        ),
      ),
  })
}

/** Error codes that concern the address itself. */
const OF_ADDRESS = new Set([
  'email_exists',
  'email_address_invalid',
  'email_address_not_authorized',
])

/** Options with the redirect of both mails. */
function wishes(area: Area) {
  return { emailRedirectTo: location.origin + accountPaths[area] }
}

type ChangeFormProps = { area: Area; email: string; onDone: () => void; onCancel: () => void }

function ChangeForm({ area, email, onDone, onCancel }: ChangeFormProps) {
  const asking = useAction('Non è stato possibile chiedere il cambio. Riprova.')
  const form = useForm({
    resolver: zodResolver(newAddress(email)),
    defaultValues: { email: '' },
  })
  const { setFocus } = form
  // The field replaces the button that opened it.
  useEffect(() => setFocus('email'), [setFocus])

  const submit = form.handleSubmit((wanted) => {
    return asking.run(async () => {
      try {
        await callAsUser(area, (auth) => auth.updateUser(wanted, wishes(area)))
        onDone()
      } catch (error) {
        if (!OF_ADDRESS.has(problemCode(error) ?? '')) throw error
        form.setError('email', { message: problemText(error, '') }, { shouldFocus: true })
      }
    })
  })

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={asking.failure} />
      <TextField
        label="Nuovo indirizzo email"
        type="email"
        autoComplete="email"
        spellCheck={false}
        required
        hint="Ti mandiamo un link a questo indirizzo e uno a quello attuale: il cambio vale quando li hai aperti tutti e due."
        {...formFields(form)('email')}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" inactive={asking.busy}>
          {asking.busy ? 'Invio in corso…' : 'Invia i link di conferma'}
        </Button>
        <Button onClick={onCancel}>Annulla</Button>
      </div>
    </form>
  )
}

type WaitingProps = {
  area: Area
  email: string
  next: NonNullable<OwnAccount['nextEmail']>
  /** The pending change has ended. */
  onOver: () => void
}

function Waiting({ area, email, next, onOver }: WaitingProps) {
  const news = useInvalidateAccount(area)
  const sending = useAction('Non è stato possibile inviare i link. Riprova.')
  const ending = useAction('Non è stato possibile annullare il cambio. Riprova.')

  async function send() {
    ending.clearFailure()
    await sending.run(async () => {
      await callAsUser(area, (auth) =>
        auth.resend({ type: 'email_change', email, options: wishes(area) }),
      )
      toastSuccess('Link inviati di nuovo')
    })
  }

  async function end() {
    sending.clearFailure()
    await ending.run(async () => {
      // Setting the current address again cancels the pending change.
      await callAsUser(area, (auth) => auth.updateUser({ email }))
      onOver()
      news()
      toastSuccess('Cambio di email annullato')
    })
  }

  return (
    <div className="flex flex-col gap-3">
      <Alert tone="notice">
        <p className="font-medium wrap-anywhere">In attesa di conferma: {next.address}</p>
        <p>
          Apri i link che abbiamo inviato ai due indirizzi. Valgono un'ora; il cambio, chiesto il{' '}
          {formatDateTime(next.askedAt)}, aspetta un giorno. Fino ad allora accedi come sempre.
        </p>
      </Alert>
      <FailureAlert failure={sending.failure ?? ending.failure} />
      <div className="flex flex-wrap gap-2">
        <Button inactive={sending.busy || ending.busy} onClick={() => void send()}>
          {sending.busy ? 'Invio in corso…' : 'Invia di nuovo i link'}
        </Button>
        <Button inactive={sending.busy || ending.busy} onClick={() => void end()}>
          {ending.busy ? 'Annullamento in corso…' : 'Annulla il cambio'}
        </Button>
      </div>
    </div>
  )
}

type EmailPartProps = { area: Area; email: string; next: OwnAccount['nextEmail'] }

/** The address of the account, and how to change it. */
export function EmailPart({ area, email, next }: EmailPartProps) {
  const news = useInvalidateAccount(area)
  const now = useNow()
  const [asking, setAsking] = useState(false)
  const place = useRef<HTMLParagraphElement>(null)
  const waiting = next && now - Date.parse(next.askedAt) < WAITED_MS ? next : null

  function back() {
    setAsking(false)
    // The focused element has disappeared.
    place.current?.focus()
  }

  return (
    <div className="flex flex-col gap-4 border-t border-line pt-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          <p ref={place} tabIndex={-1} className="text-sm font-medium outline-none">
            Email
          </p>
          <p className="wrap-anywhere">{email}</p>
        </div>
        {asking || waiting ? null : <Button onClick={() => setAsking(true)}>Cambia email</Button>}
      </div>
      {asking ? (
        <ChangeForm
          area={area}
          email={email}
          onCancel={back}
          onDone={() => {
            back()
            news()
          }}
        />
      ) : null}
      {waiting && !asking ? (
        <Waiting area={area} email={email} next={waiting} onOver={() => place.current?.focus()} />
      ) : null}
    </div>
  )
}
