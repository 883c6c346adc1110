import { createPriorityDisplay, DESK_NAME_LENGTH } from '@bancone/contract/priority'
import { zodResolver } from '@hookform/resolvers/zod'
import { QRCodeSVG } from 'qrcode.react'
import { useEffect, useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../lib/api.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { useFailure } from '../../../lib/use-failure.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { Sheet } from '../../../ui/sheet.tsx'
import { TextField } from '../../../ui/text-field.tsx'

function nameMessage({ code }: { code?: string | undefined }): string {
  return code === 'too_big'
    ? `Al massimo ${DESK_NAME_LENGTH} caratteri.`
    : 'Dai un nome allo schermo.'
}

type DisplayFormProps = {
  id: string
  onBusy: (busy: boolean) => void
  onMade: (url: string) => void
}

function DisplayForm({ id, onBusy, onMade }: DisplayFormProps) {
  const { failure, fail } = useFailure()
  const form = useForm({
    resolver: zodResolver(createPriorityDisplay.body, { error: nameMessage }),
    defaultValues: { name: '' },
  })
  const { setFocus } = form
  useEffect(() => setFocus('name'), [setFocus])

  const submit = form.handleSubmit(async (body) => {
    onBusy(true)
    try {
      // Bypasses the cache: the link must not be stored.
      onMade((await call(createPriorityDisplay, { body })).url)
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
        hint="Per riconoscerlo qui, per esempio Sala d'attesa."
        autoComplete="off"
        error={form.formState.errors.name?.message}
        {...form.register('name')}
      />
    </form>
  )
}

function MadeDisplay({ url, hurried }: { url: string; hurried: boolean }) {
  return (
    <div className="flex flex-col gap-3">
      <p>
        Inquadra il codice con il tablet o il telefono della sala, oppure apri lì il link. Lo vedi
        solo adesso: se lo perdi, elimina lo schermo e creane un altro.
      </p>
      <QRCodeSVG
        value={url}
        level="M"
        marginSize={4}
        title="QR code dello schermo"
        className="mx-auto h-auto w-full max-w-60 rounded-control"
      />
      <p className="rounded-control border border-line bg-sunken p-3 font-mono text-sm wrap-anywhere">
        {url}
      </p>
      <CopyButton label="Copia link dello schermo" text={url} primary />
      {hurried ? (
        <Alert tone="error">
          Prima apri lo schermo, o copia il link: dopo non si può più vedere.
        </Alert>
      ) : null}
    </div>
  )
}

/** Creates the link of a display and shows it once. */
export function DisplaySheet(props: { onClose: () => void; onReturnFocus: () => void }) {
  const { onClose, onReturnFocus } = props
  const form = useId()
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<string | null>(null)
  const [hurried, setHurried] = useState(0)
  return (
    <Sheet
      title="Nuovo schermo"
      closeLabel="Chiudi la finestra"
      footer={
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
            Ho aperto lo schermo
          </Button>
        )
      }
      // An accidentally closed link would be lost.
      onClose={made === null ? onClose : () => setHurried(hurried + 1)}
      onReturnFocus={onReturnFocus}
    >
      {made === null ? (
        <DisplayForm id={form} onBusy={setBusy} onMade={setMade} />
      ) : (
        <MadeDisplay key={hurried} url={made} hurried={hurried > 0} />
      )}
    </Sheet>
  )
}
