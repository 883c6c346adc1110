import { type SyntheticEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { countRecoveryCodes } from '../../lib/recovery-codes.ts'
import type { Area } from '../../lib/session-state.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-field.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { PageSpinner } from '../../ui/spinner.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { areas } from './areas.ts'
import { submitCode, submitRecoveryCode } from './second-factor.ts'
import { SessionCard } from './session-card.tsx'

type SecondStepProps = {
  area: Area
  /** Of the account. */
  email: string
  /** Explains what the second factor is required for. */
  intro: string
  /** Keeps the step open after the session was elevated, because it has something to show. */
  onHold: (hold: boolean) => void
  /** The user wants to sign in with another account. */
  onLeave: () => void
}

/** Asks for the second factor after the password. */
export function SecondStep({ area, email, intro, onHold, onLeave }: SecondStepProps) {
  const [way, setWay] = useState<'app' | 'recovery' | 'recovered'>('app')
  if (way === 'recovered') return <RecoveryCodesLeft area={area} onDone={() => onHold(false)} />

  function leave() {
    areas[area].session.signOut()
    onLeave()
  }

  return (
    <SessionCard
      title="Verifica in due passaggi"
      intro={intro}
      footer={
        <div className="flex flex-col items-center gap-1">
          <p className="wrap-anywhere">Stai accedendo come {email}.</p>
          <Button look="link" className="md:h-11" onClick={leave}>
            Esci
          </Button>
        </div>
      }
    >
      {way === 'recovery' ? (
        <RecoveryCodeForm
          area={area}
          onHold={onHold}
          onUsed={() => setWay('recovered')}
          onBack={() => setWay('app')}
        />
      ) : (
        <CodeForm area={area} onLostApp={() => setWay('recovery')} />
      )}
    </SessionCard>
  )
}

type CodeFormProps = {
  area: Area
  /** The user has no access to the app. */
  onLostApp: () => void
}

/** Form for the code of an authenticator app. Submits itself with the last digit. */
function CodeForm({ area, onLostApp }: CodeFormProps) {
  const apps = areas[area].session.current()?.authenticatorApps ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | undefined>()
  const { failure, fail, clearFailure } = useFailure()
  const app = apps.find(({ id }) => id === chosen) ?? apps[0]

  async function send(digits: string) {
    if (busy || !app) return
    setWrong(undefined)
    if (digits.length < 6) return setWrong('Scrivi tutte le 6 cifre del codice.')
    setBusy(true)
    const outcome = await submitCode(area, app.id, digits)
    setBusy(false)
    if (outcome.kind === 'wrong') {
      clearFailure()
      setWrong(outcome.text)
    } else if (outcome.kind === 'failed') {
      fail(outcome.text)
    }
  }

  function submit(event: SyntheticEvent) {
    event.preventDefault()
    void send(code)
  }

  return (
    <form noValidate onSubmit={submit} className="mt-6 flex flex-col gap-4">
      <FailureAlert failure={failure} />
      {apps.length > 1 ? (
        <SelectField
          label="App di autenticazione"
          value={app?.id}
          onChange={(event) => setChosen(event.target.value)}
        >
          {apps.map(({ id, name }, at) => (
            <option key={id} value={id}>
              {name || `App ${at + 1}`}
            </option>
          ))}
        </SelectField>
      ) : null}
      <CodeField
        label="Codice"
        hint="Le 6 cifre che mostra adesso la tua app di autenticazione."
        takesFocus
        error={wrong}
        readOnly={busy}
        value={code}
        onChange={(digits) => {
          setCode(digits)
          setWrong(undefined)
        }}
        onComplete={(digits) => void send(digits)}
      />
      <Button type="submit" look="primary" size="large" inactive={busy}>
        {busy ? 'Verifica in corso...' : 'Verifica'}
      </Button>
      <Button look="link" className="self-center md:h-11" inactive={busy} onClick={onLostApp}>
        Usa un codice di recupero
      </Button>
    </form>
  )
}

type RecoveryCodeFormProps = {
  area: Area
  /**
   * Keeps the step open while the request runs and after it: the session is elevated before the form has reported it.
   */
  onHold: (hold: boolean) => void
  onUsed: () => void
  onBack: () => void
}

/** Form for a recovery code. */
function RecoveryCodeForm({ area, onHold, onUsed, onBack }: RecoveryCodeFormProps) {
  const field = useRef<HTMLInputElement>(null)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [wrong, setWrong] = useState<string | undefined>()
  const { failure, fail, clearFailure } = useFailure()

  useEffect(() => field.current?.focus(), [])
  useEffect(() => {
    if (wrong) field.current?.select()
  }, [wrong])

  async function submit(event: SyntheticEvent) {
    event.preventDefault()
    if (busy) return
    setWrong(undefined)
    if (code.trim() === '') return setWrong('Scrivi uno dei tuoi codici di recupero.')
    setBusy(true)
    onHold(true)
    const outcome = await submitRecoveryCode(area, code)
    if (outcome.kind === 'passed') return onUsed()
    onHold(false)
    setBusy(false)
    if (outcome.kind === 'wrong') {
      clearFailure()
      setWrong(outcome.text)
    } else if (outcome.kind === 'failed') {
      fail(outcome.text)
    }
  }

  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="mt-6 flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <TextField
        ref={field}
        label="Codice di recupero"
        hint="Uno di quelli che hai salvato quando hai attivato la verifica. Ognuno vale una volta sola."
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        required
        error={wrong}
        readOnly={busy}
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          setWrong(undefined)
        }}
      />
      <Button type="submit" look="primary" size="large" inactive={busy}>
        {busy ? 'Verifica in corso...' : 'Verifica'}
      </Button>
      <div className="flex flex-col items-center gap-1 text-center">
        <Button look="link" className="md:h-11" inactive={busy} onClick={onBack}>
          Usa l'app di autenticazione
        </Button>
        <p className="text-sm text-balance text-muted">
          Non hai più né l'app né i codici? Chiedi a chi gestisce Bancone.
        </p>
      </div>
    </form>
  )
}

function leftText(remaining: number): string {
  if (remaining === 0) {
    return "Era l'ultimo: in «Sicurezza» crea subito nuovi codici, altrimenti senza l'app non potrai più entrare."
  }
  const left = remaining === 1 ? 'Te ne resta uno.' : `Te ne restano ${remaining}.`
  return `${left} Se hai perso il telefono, in «Sicurezza» rimuovi la vecchia app e collegane una nuova.`
}

type RecoveryCodesLeftProps = { area: Area; onDone: () => void }

/** Shows the number of unused codes after one was used. Continues at once when it cannot be read. */
function RecoveryCodesLeft({ area, onDone }: RecoveryCodesLeftProps) {
  const [remaining, setRemaining] = useState<number | null>(null)
  const leadOn = useEffectEvent(onDone)
  useEffect(() => {
    let over = false
    countRecoveryCodes(area).then(
      (count) => {
        if (!over) setRemaining(count.remaining)
      },
      () => {
        if (!over) leadOn()
      },
    )
    return () => {
      over = true
    }
  }, [area])

  if (remaining === null) return <PageSpinner />
  return (
    <SessionCard title="Codice di recupero usato" intro={leftText(remaining)} takesFocus>
      <Button look="primary" size="large" className="mt-6 w-full" onClick={onDone}>
        Continua
      </Button>
    </SessionCard>
  )
}
