import { type SyntheticEvent, useEffect, useRef, useState } from 'react'
import type { Area } from '../../lib/session-state.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { submitRecoveryCode } from './second-factor.ts'

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
export function RecoveryCodeForm({ area, onHold, onUsed, onBack }: RecoveryCodeFormProps) {
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
