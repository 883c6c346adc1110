import {
  downloadPharmacyExport,
  getPharmacyExport,
  type PharmacyExport,
  startPharmacyExport,
} from '@bancone/contract/pharmacy-deletion'
import { useState } from 'react'
import { download } from '../../../lib/download.ts'
import { useEndpoint, useEndpointMutation } from '../../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../../lib/format.ts'
import { saveFile } from '../../../lib/save-file.ts'
import { useAction } from '../../../lib/use-action.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureAlert } from '../../../ui/failure-alert.tsx'

const POLL_INTERVAL_MS = 1_000

const isRunning = (state: PharmacyExport['state'] | undefined) =>
  state === 'waiting' || state === 'running'

/** `'12,3 MB'`; at least 0,1. */
function megabytes(bytes: number): string {
  const size = Math.max(0.1, bytes / 1_000_000)
  return `${size.toLocaleString('it-IT', { maximumFractionDigits: 1 })} MB`
}

type PharmacyExportProps = {
  pharmacyId: string
  /** Of the pharmacy, for the names of the buttons. */
  name: string
  /** The newest export that the list knows. */
  newest: PharmacyExport | null
}

/** Writes a zip file of everything that belongs to a pharmacy, and downloads it. */
export function PharmacyExportPart({ pharmacyId, name, newest }: PharmacyExportProps) {
  const [started, setStarted] = useState<PharmacyExport | null>(null)
  const { mutateAsync } = useEndpointMutation(startPharmacyExport)
  const { busy, failure, run } = useAction()
  const known = started ?? newest
  const { data } = useEndpoint(
    getPharmacyExport,
    { params: { exportId: known?.id ?? '' } },
    {
      enabled: isRunning(known?.state),
      refetchInterval: (query) => (isRunning(query.state.data?.state) ? POLL_INTERVAL_MS : false),
    },
  )
  const shown = data ?? known

  function start() {
    void run(async () => setStarted(await mutateAsync({ params: { pharmacyId } })))
  }

  function take({ id, fileName }: PharmacyExport) {
    void run(async () => {
      const { signal } = new AbortController()
      const file = await download(downloadPharmacyExport, { params: { exportId: id } }, { signal })
      saveFile(file, fileName)
    })
  }

  return (
    <>
      {shown?.state === 'done' ? (
        <Button
          inactive={busy}
          aria-label={`Scarica l'esportazione di ${name}`}
          onClick={() => take(shown)}
        >
          {busy ? 'Download in corso…' : `Scarica (${megabytes(shown.bytes ?? 0)})`}
        </Button>
      ) : (
        <Button
          inactive={busy || isRunning(shown?.state)}
          aria-label={`Esporta tutto di ${name}`}
          onClick={start}
        >
          Esporta
        </Button>
      )}
      <p
        role="status"
        className="order-last basis-full text-sm text-muted tabular-nums empty:hidden"
      >
        {statusOf(shown)}
      </p>
      {failure ? (
        <div className="order-last basis-full">
          <FailureAlert failure={failure} />
        </div>
      ) : null}
    </>
  )
}

function statusOf(shown: PharmacyExport | null): string | null {
  if (shown === null) return null
  if (shown.state === 'failed') return "L'esportazione non è riuscita o è scaduta: riprova."
  if (shown.state === 'done') {
    return `Esportazione pronta: si può scaricare fino al ${formatDateTime(shown.expiresAt ?? '')}.`
  }
  // A whole percentage, so that a screen reader is not interrupted every second by other numbers.
  const percent = shown.total > 0 ? Math.floor((100 * shown.done) / shown.total) : 0
  return `Esportazione in corso: ${formatNumber(percent)}%`
}
