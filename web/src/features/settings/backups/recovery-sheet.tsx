import {
  type BackupStatus,
  confirmRecoverySheet,
  getBackups,
  getRecoverySheet,
} from '@bancone/contract/backups'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { call } from '../../../lib/api.ts'
import { endpointKey } from '../../../lib/endpoint-query.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { useAction } from '../../../lib/use-action.ts'
import { useFileDownload } from '../../../lib/use-file-download.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const MISSING = 'Scrivi gli ultimi 8 caratteri della chiave.'

/** The printable sheet with the key, and the proof that it was printed. */
export function RecoverySheet({ status }: { status: BackupStatus }) {
  const { busy, failure, save } = useFileDownload()
  const keyId = status.setup?.keyId
  if (!keyId) return null
  const isConfirmed = status.sheetConfirmedAt !== null
  return (
    <div className="flex flex-col gap-3 rounded-card bg-sunken px-3.5 py-3">
      <h3 className="font-medium">Scheda di recupero</h3>
      <p className="text-sm text-pretty text-muted">
        Contiene la chiave senza la quale nessuno può leggere le copie. Stampala e conservala
        lontano dal server.{' '}
        {isConfirmed
          ? `La scheda della chiave ${keyId} è stata confermata il ${formatDateTime(status.sheetConfirmedAt ?? '')}.`
          : 'Finché non la confermi, le copie non contano come attive.'}
      </p>
      <div>
        <Button
          look={isConfirmed ? 'secondary' : 'primary'}
          inactive={busy}
          onClick={() => save(getRecoverySheet, {}, `scheda-di-recupero-${keyId}.html`)}
        >
          {busy ? 'Download in corso…' : 'Scarica la scheda'}
        </Button>
      </div>
      <FailureAlert failure={failure} />
      {isConfirmed ? null : <Confirmation />}
    </div>
  )
}

function Confirmation() {
  const client = useQueryClient()
  const { busy, failure, clearFailure, run } = useAction()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(confirmRecoverySheet.body, { error: () => MISSING }),
    defaultValues: { ending: '' },
  })

  const submit = handleSubmit((body) => {
    clearFailure()
    return run(async () => {
      const status = await call(confirmRecoverySheet, { body })
      client.setQueryData<BackupStatus>(endpointKey(getBackups, {}), status)
    })
  })

  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-3 sm:max-w-md"
    >
      <TextField
        label="Ultimi 8 caratteri della chiave stampata"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        error={formState.errors.ending?.message}
        {...register('ending')}
      />
      <FailureAlert failure={failure} />
      <div>
        <Button type="submit" inactive={busy}>
          {busy ? 'Conferma…' : 'Conferma la scheda'}
        </Button>
      </div>
    </form>
  )
}
