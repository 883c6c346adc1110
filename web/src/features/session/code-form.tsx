import { type SyntheticEvent, useState } from 'react'
import type { Area } from '../../lib/session-state.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Button } from '../../ui/button.tsx'
import { CodeField } from '../../ui/code-field.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { SelectField } from '../../ui/select-field.tsx'
import { areas } from './areas.ts'
import { submitCode } from './second-factor.ts'

type CodeFormProps = {
  area: Area
  /** The user has no access to the app. */
  onLostApp: () => void
}

/** Form for the code of an authenticator app. Submits itself with the last digit. */
export function CodeForm({ area, onLostApp }: CodeFormProps) {
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
