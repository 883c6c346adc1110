import {
  type BackupRun,
  type BackupStatus,
  backupProblemTexts,
  confirmRecoverySheet,
  getBackups,
  getRecoverySheet,
  startBackup,
} from '@bancone/contract/backups'
import { zodResolver } from '@hookform/resolvers/zod'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { call } from '../../../lib/api.ts'
import { endpointKey, useEndpoint } from '../../../lib/endpoint-query.ts'
import { formFields } from '../../../lib/form-fields.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { useAction } from '../../../lib/use-action.ts'
import { useFileDownload } from '../../../lib/use-file-download.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { CardSection } from '../../../ui/card-section.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'
import { QueryStates } from '../../../ui/query-states.tsx'
import { LinesSkeleton } from '../../../ui/skeleton.tsx'
import { TextField } from '../../../ui/text-field.tsx'

const POLL_INTERVAL_MS = 2_000
const IDLE_INTERVAL_MS = 60_000

/** A job begins within a moment; until then a run that was asked for is not in the list. */
const AWAITED_MS = 20_000

/** The state of the back-ups, with what an administrator can do about it. */
export function BackupsSection() {
  const [awaitedUntil, setAwaitedUntil] = useState(0)
  const query = useEndpoint(
    getBackups,
    {},
    {
      refetchInterval: ({ state }) =>
        runningOf(state.data) || Date.now() < awaitedUntil ? POLL_INTERVAL_MS : IDLE_INTERVAL_MS,
    },
  )
  return (
    <CardSection
      title="Copie di sicurezza"
      intro="Il database e i file, cifrati, ogni notte; le copie restano 35 giorni. Una volta alla settimana l'ultima viene ripristinata per prova."
    >
      <QueryStates
        query={query}
        skeleton={<LinesSkeleton line="h-5" lines={['w-full', 'w-64', 'w-48', 'w-56']} />}
      >
        {(status) =>
          status.setup === null ? (
            <NotConfigured />
          ) : (
            <Backups status={status} onAsked={() => setAwaitedUntil(Date.now() + AWAITED_MS)} />
          )
        }
      </QueryStates>
    </CardSection>
  )
}

function NotConfigured() {
  return (
    <>
      <Alert tone="notice">
        <p className="font-medium">Non sono configurate.</p>
        <p>Se questa macchina si perde, si perde tutto ciò che contiene.</p>
      </Alert>
      <p className="text-sm text-pretty text-muted">
        Imposta <code>BACKUP_TO</code> (una cartella su un altro disco, oppure{' '}
        <code>s3://bucket/cartella</code>) e <code>BACKUP_KEY_FILE</code> (il file della chiave,
        fuori da <code>DATA_DIR</code>: se non c'è viene creato), poi riavvia il server.
      </p>
    </>
  )
}

type BackupsProps = { status: BackupStatus; onAsked(): void }

function Backups({ status, onAsked }: BackupsProps) {
  const client = useQueryClient()
  const { busy, failure, run } = useAction()
  const running = runningOf(status)

  function start(kind: BackupRun['kind']) {
    void run(async () => {
      const answer = await call(startBackup, { body: { kind } })
      client.setQueryData<BackupStatus>(endpointKey(getBackups, {}), answer)
      onAsked()
    })
  }

  return (
    <>
      <Problems problems={status.problems} />
      <Facts status={status} />
      <div className="flex flex-wrap items-center gap-2">
        <Button inactive={busy || running !== undefined} onClick={() => start('backup')}>
          Esegui ora
        </Button>
        <Button
          inactive={busy || running !== undefined || status.lastBackup === null}
          onClick={() => start('test')}
        >
          Prova ora il ripristino
        </Button>
        <p role="status" className="text-sm text-muted tabular-nums">
          {running ? progressOf(running) : null}
        </p>
      </div>
      <FailureAlert failure={failure} />
      <RecoverySheet status={status} />
      <Runs runs={status.runs.filter(({ state }) => state !== 'running').slice(0, 5)} />
    </>
  )
}

function Problems({ problems }: Pick<BackupStatus, 'problems'>) {
  if (problems.length === 0) {
    return <Alert tone="done">Attive: l'ultima copia è riuscita e la chiave è al sicuro.</Alert>
  }
  return (
    <Alert tone="error">
      {problems.map((problem) => (
        <p key={problem}>{backupProblemTexts[problem]}</p>
      ))}
    </Alert>
  )
}

function Facts({
  status: { setup, lastBackup, lastTest, archivedUntil },
}: {
  status: BackupStatus
}) {
  const facts: [string, string][] = [
    ['Dove', setup?.target ?? ''],
    [
      'Ultima copia riuscita',
      lastBackup
        ? `${formatDateTime(lastBackup.startedAt)} (${megabytes(lastBackup.bytes)})`
        : 'nessuna',
    ],
    ['Ultima prova riuscita', lastTest ? formatDateTime(lastTest.startedAt) : 'nessuna'],
    [
      'Modifiche archiviate fino al',
      setup?.archive
        ? archivedUntil === null
          ? 'ancora nessuna'
          : formatDateTime(archivedUntil)
        : 'è compito del tuo PostgreSQL',
    ],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="sm:contents">
          <dt className="text-muted">{name}</dt>
          <dd className="wrap-anywhere tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Runs({ runs }: { runs: readonly BackupRun[] }) {
  if (runs.length === 0) return null
  return (
    <div>
      <h3 className="text-sm font-medium">Ultime esecuzioni</h3>
      <ul className="mt-1 flex flex-col divide-y divide-line text-sm">
        {runs.map(({ id, kind, state, startedAt, problem }) => (
          <li key={id} className="flex flex-wrap justify-between gap-x-4 py-2">
            <span className="tabular-nums">
              {kind === 'backup' ? 'Copia' : 'Prova'} del {formatDateTime(startedAt)}
            </span>
            <span className={state === 'failed' ? 'text-danger' : 'text-muted'}>
              {state === 'done' ? 'Riuscita' : backupProblemTexts[problem ?? 'unexpected']}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function runningOf(status: BackupStatus | undefined): BackupRun | undefined {
  return status?.runs.find(({ state }) => state === 'running')
}

function progressOf({ kind, bytes }: BackupRun): string {
  if (kind === 'test') return 'Prova di ripristino in corso…'
  return bytes === 0 ? 'Copia in corso…' : `Copia in corso: ${megabytes(bytes)}`
}

function megabytes(bytes: number): string {
  return `${formatNumber(Math.max(1, Math.round(bytes / 1_000_000)))} MB`
}

const MISSING = 'Scrivi gli ultimi 8 caratteri della chiave.'

/** The printable sheet with the key, and the proof that it was printed. */
function RecoverySheet({ status }: { status: BackupStatus }) {
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
  const { busy, failure, run } = useAction()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(confirmRecoverySheet.body, { error: () => MISSING }),
    defaultValues: { ending: '' },
  })

  const submit = handleSubmit((body) => {
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
        {...formFields({ register, formState })('ending')}
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
