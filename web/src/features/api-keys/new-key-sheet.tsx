import { createApiKey, KEY_NAME_LENGTH } from '@bancone/contract/api-keys'
import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useId, useRef, useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFailure } from '../../lib/use-failure.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { TextField } from '../../ui/text-field.tsx'

type NewKeySheetProps = { onClose: () => void; onReturnFocus: () => void }

type KeyFormProps = { id: string; onBusy: (busy: boolean) => void; onMade: (key: string) => void }

function nameMessage({ code }: { code?: string | undefined }): string {
  return code === 'too_big'
    ? `Al massimo ${KEY_NAME_LENGTH} caratteri.`
    : 'Dai un nome alla chiave.'
}

function KeyForm({ id, onBusy, onMade }: KeyFormProps) {
  const { failure, fail } = useFailure()
  const form = useForm({
    resolver: zodResolver(createApiKey.body, { error: nameMessage }),
    defaultValues: { name: '' },
  })
  const { setFocus } = form
  useEffect(() => setFocus('name'), [setFocus])

  const submit = form.handleSubmit(async (body) => {
    onBusy(true)
    try {
      // Bypasses the cache: the key must not be stored.
      onMade((await call(createApiKey, { body })).key)
    } catch (error) {
      fail(errorMessage(error))
    } finally {
      onBusy(false)
    }
  })

  return (
    <form id={id} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <FailureAlert failure={failure} />
      <TextField
        label="Nome"
        autoComplete="off"
        required
        hint="Per riconoscerla: il programma che la userà, per esempio «Sito della farmacia»."
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
    </form>
  )
}

function MadeKey({ value, hurried }: { value: string; hurried: boolean }) {
  const heading = useRef<HTMLParagraphElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="flex flex-col gap-4">
      <p ref={heading} tabIndex={-1} className="font-medium outline-none">
        La chiave è pronta
      </p>
      <Alert tone="notice">
        Copiala adesso e conservala in un posto sicuro: quando chiudi questa finestra non la potrai
        più vedere.
      </Alert>
      <code className="rounded-control border border-line bg-sunken px-3 py-2.5 font-mono text-sm break-all select-all">
        {value}
      </code>
      <CopyButton label="Copia la chiave" text={value} primary />
      {hurried ? (
        <Alert tone="error">
          Prima copia la chiave, poi premi «Ho copiato la chiave»: dopo non la potrai più vedere.
        </Alert>
      ) : null}
    </div>
  )
}

/** Creates a key and shows it once. */
export function NewKeySheet({ onClose, onReturnFocus }: NewKeySheetProps) {
  const form = useId()
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [hurried, setHurried] = useState(0)

  const footer =
    made === null ? (
      <>
        <Button className="flex-1" onClick={onClose}>
          Chiudi
        </Button>
        <Button type="submit" form={form} look="primary" className="flex-1" inactive={busy}>
          {busy ? 'Creazione in corso…' : 'Crea'}
        </Button>
      </>
    ) : (
      <Button className="flex-1" onClick={onClose}>
        Ho copiato la chiave
      </Button>
    )
  return (
    <Sheet
      title="Nuova chiave"
      closeLabel="Chiudi la finestra"
      footer={footer}
      // An accidentally closed key would be lost.
      onClose={made === null ? onClose : () => setHurried(hurried + 1)}
      onReturnFocus={onReturnFocus}
    >
      {made === null ? (
        <KeyForm id={form} onBusy={setBusy} onMade={setMade} />
      ) : (
        <MadeKey key={hurried} value={made} hurried={hurried > 0} />
      )}
    </Sheet>
  )
}
