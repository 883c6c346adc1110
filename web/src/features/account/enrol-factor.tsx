import { zodResolver } from '@hookform/resolvers/zod'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod/mini'
import type { Area } from '../../lib/session-state.ts'
import { problemCode, problemText, useAction } from '../../lib/use-action.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button, buttonStyle } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import { CodeField } from '../../ui/code-field.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { QueryStates } from '../../ui/query-states.tsx'
import { LinesSkeleton } from '../../ui/skeleton.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { confirmApp, type Enrolment, useEnrolment } from './enrolment.ts'
import { NewRecoveryCodes } from './new-recovery-codes.tsx'
import { useInvalidateAccount } from './own-account.ts'

/** Name of the first app. */
const FIRST_NAME = 'App di autenticazione'

/** Shown when the enrolment has expired, or was restarted in another window. */
const LATE =
  "Il codice QR di prima non vale più: inquadra questo, che è nuovo, e togli dall'app la voce di prima."

function AppSecret({ enrolment: { picture, secret, link } }: { enrolment: Enrolment }) {
  const groups = secret.match(/.{1,4}/g) ?? [secret]
  return (
    <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
      {/* White in dark mode, too: not every camera reads an inverted code. */}
      <div data-paper className="rounded-control border border-line bg-surface p-2">
        <img
          src={picture}
          alt="Codice QR da inquadrare con l'app di autenticazione"
          className="size-44"
        />
      </div>
      <div className="flex min-w-0 flex-1 basis-60 flex-col items-start gap-3">
        <a
          href={link}
          className={cn(buttonStyle({ look: 'primary' }), 'hidden! pointer-coarse:inline-flex!')}
        >
          Apri nell'app
        </a>
        <p className="text-sm text-muted">Non puoi inquadrarlo? Scrivi questa chiave nell'app:</p>
        <code className="rounded-control border border-line bg-sunken px-3 py-2 font-mono text-sm tracking-wide break-words select-all">
          {groups.join(' ')}
        </code>
        <CopyButton label="Copia la chiave" text={secret} />
      </div>
    </div>
  )
}

type ConfirmFormProps = {
  area: Area
  factorId: string
  onConfirmed: () => void
  /** The service has discarded the enrolment. */
  onLate: () => void
  onCancel: (() => void) | undefined
}

function ConfirmForm({ area, factorId, onConfirmed, onLate, onCancel }: ConfirmFormProps) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | undefined>()
  const confirming = useAction('Non è stato possibile verificare il codice. Riprova.')

  async function confirm(typed: string) {
    setWrong(undefined)
    confirming.clearFailure()
    if (typed.length < 6) return setWrong("Scrivi le 6 cifre che l'app mostra adesso.")
    await confirming.run(async () => {
      try {
        await confirmApp(area, factorId, typed)
        onConfirmed()
      } catch (error) {
        const problem = problemCode(error)
        if (problem === 'mfa_factor_not_found') return onLate()
        if (problem !== 'mfa_verification_failed') throw error
        setWrong(problemText(error, ''))
      }
    })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    void confirm(code)
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <CodeField
        label="Codice di 6 cifre"
        className="max-w-60"
        value={code}
        onChange={setCode}
        onComplete={(typed) => void confirm(typed)}
        error={wrong}
      />
      <FailureAlert failure={confirming.failure} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary" inactive={confirming.busy}>
          {confirming.busy ? 'Verifica in corso…' : 'Attiva'}
        </Button>
        {onCancel ? <Button onClick={onCancel}>Annulla</Button> : null}
      </div>
    </form>
  )
}

type EnrolFactorProps = {
  area: Area
  /** The app is confirmed, and its recovery codes are saved. */
  onDone: () => void
  /** The user has cancelled. */
  onCancel?: () => void
  /** Names of existing apps. A user with an app has recovery codes already. */
  names?: readonly string[]
}

const step = 'flex flex-col gap-3'
const number =
  'mr-2 inline-grid size-6 place-items-center rounded-full bg-accent-soft text-sm text-accent tabular-nums'

/** Enrols an authenticator app: passes the secret, verifies the first code, and creates recovery codes. */
export function EnrolFactor({ area, onDone, onCancel, names = [] }: EnrolFactorProps) {
  const news = useInvalidateAccount(area)
  // Names at the start: the list will soon contain the new app.
  const [others] = useState(names)
  const [name, setName] = useState(others.length === 0 ? FIRST_NAME : null)
  const [late, setLate] = useState(0)
  const [confirmed, setConfirmed] = useState(false)
  const enrolment = useEnrolment(area, confirmed ? null : name)
  const taken = problemCode(enrolment.error) === 'mfa_factor_name_conflict'
  const top = useRef<HTMLDivElement>(null)
  const isShown = !confirmed && name !== null && !taken
  // Replaces the focused element, unless the page's title has taken the focus.
  useEffect(() => {
    const isLost = document.activeElement === document.body
    if (isShown && isLost) top.current?.focus({ preventScroll: true })
  }, [isShown])
  // On a phone the field is below the visible part of the page.
  useEffect(() => {
    if (late === 0) return
    top.current?.focus({ preventScroll: true })
    top.current?.scrollIntoView({ block: 'start' })
  }, [late])

  function enter() {
    news()
    if (others.length > 0) return onDone()
    setConfirmed(true)
  }

  if (confirmed) return <NewRecoveryCodes area={area} onKept={onDone} />
  if (name === null || taken) {
    return (
      <AppNameForm
        names={taken && name ? [...others, name] : others}
        first={name ?? `${FIRST_NAME} ${others.length + 1}`}
        error={taken ? problemText(enrolment.error, '') : undefined}
        onNamed={setName}
        onCancel={onCancel}
      />
    )
  }
  return (
    <div ref={top} tabIndex={-1} className="flex flex-col gap-6 outline-none">
      {late > 0 ? (
        <Alert key={late} tone="notice">
          {LATE}
        </Alert>
      ) : null}
      <QueryStates
        query={enrolment}
        otherwise="Non è stato possibile preparare il codice QR. Riprova."
        skeleton={<LinesSkeleton what="del codice QR" lines={['w-56', 'w-full', 'w-2/3']} />}
      >
        {(begun) => (
          <>
            <section aria-labelledby="app-inquadra" className={step}>
              <h3 id="app-inquadra" className="font-medium">
                <span className={number}>1</span>Inquadra il codice con l'app
              </h3>
              <p className="text-sm text-pretty text-muted">
                Apri l'app di autenticazione sul telefono (Google Authenticator, Microsoft
                Authenticator, la gestione delle password del telefono o un'altra), aggiungi un
                account e inquadra il codice QR.
              </p>
              <AppSecret enrolment={begun} />
            </section>
            <section aria-labelledby="app-codice" className={step}>
              <h3 id="app-codice" className="font-medium">
                <span className={number}>2</span>Scrivi il codice che l'app mostra
              </h3>
              <ConfirmForm
                key={begun.factorId}
                area={area}
                factorId={begun.factorId}
                onConfirmed={enter}
                onLate={() => {
                  setLate(late + 1)
                  void enrolment.refetch()
                }}
                onCancel={onCancel}
              />
            </section>
          </>
        )}
      </QueryStates>
      {enrolment.data === undefined && onCancel ? (
        <Button className="self-start" onClick={onCancel}>
          Annulla
        </Button>
      ) : null}
    </div>
  )
}

const LONGEST = 40

function appName(names: readonly string[]) {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  return z.object({
    name: z.string().check(
      z.trim(),
      z.minLength(1, "Dai un nome all'app."),
      z.maxLength(LONGEST, `Al massimo ${LONGEST} caratteri.`),
      z.refine(
        (name) => !taken.has(name.toLowerCase()),
        "Hai già collegato un'app con questo nome: scegline un altro.",
      ),
    ),
  })
}

type AppNameFormProps = {
  /** Names of the existing apps. */
  names: readonly string[]
  first: string
  /** The service's objection to the name. */
  error: string | undefined
  onNamed: (name: string) => void
  onCancel: (() => void) | undefined
}

/** The name of an authenticator app, for users with several. */
function AppNameForm({ names, first, error, onNamed, onCancel }: AppNameFormProps) {
  const form = useForm({
    resolver: zodResolver(appName(names)),
    defaultValues: { name: first },
  })
  const { setFocus } = form
  useEffect(() => setFocus('name', { shouldSelect: true }), [setFocus])
  const submit = form.handleSubmit(({ name }) => onNamed(name))

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label="Nome dell'app"
        className="max-w-108"
        autoComplete="off"
        required
        hint="Per riconoscerla, per esempio «Telefono di Anna»."
        error={form.formState.errors.name?.message ?? error}
        {...form.register('name')}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" look="primary">
          Continua
        </Button>
        {onCancel ? <Button onClick={onCancel}>Annulla</Button> : null}
      </div>
    </form>
  )
}
