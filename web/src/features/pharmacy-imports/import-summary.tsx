import {
  cancelPharmacyImport,
  downloadRefusedRows,
  getPharmacyImport,
  listPharmacyImports,
  type PharmacyImport,
  startPharmacyImport,
} from '@bancone/contract/pharmacy-imports'
import { useQueryClient } from '@tanstack/react-query'
import { CircleStop, Download, Trash2, Upload } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { call } from '../../lib/api.ts'
import { endpointKey } from '../../lib/endpoint-query.ts'
import { formatDateTime, formatNumber } from '../../lib/format.ts'
import { useAction } from '../../lib/use-action.ts'
import { useFileDownload } from '../../lib/use-file-download.ts'
import { Button } from '../../ui/button.tsx'
import { CardSection } from '../../ui/card-section.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { FailureAlert } from '../../ui/failure-alert.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { pharmacyCount, rowCount, stateText, stateTitles } from './import-texts.ts'

type ImportSummaryProps = {
  run: PharmacyImport
  takesFocus: boolean
  /** The preview was discarded. */
  onDiscarded: () => void
  /** The choice of another file, shown once the import has ended. */
  children: ReactNode
}

/** What an import will do, does or did, and what can be done with it. */
export function ImportSummary({ run, takesFocus, onDiscarded, children }: ImportSummaryProps) {
  const client = useQueryClient()
  const starting = useAction()
  const refused = useFileDownload()
  const [stopping, setStopping] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { state, counts, id } = run
  const writes = counts.new + counts.changed
  const params = { importId: id }
  useEffect(() => {
    if (takesFocus) heading.current?.focus()
  }, [takesFocus])
  // Its buttons change with the state: the focus stays here.
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state && document.activeElement === document.body) {
      heading.current?.focus()
    }
    before.current = state
  }, [state])

  async function refresh() {
    await Promise.all(
      [getPharmacyImport, listPharmacyImports].map((endpoint) =>
        client.invalidateQueries({ queryKey: endpointKey(endpoint) }),
      ),
    )
  }

  function start() {
    void starting.run(async () => {
      try {
        const started = await call(startPharmacyImport, { params })
        client.setQueryData(endpointKey(getPharmacyImport, { params }), started)
      } finally {
        // Another administrator may have started it.
        await refresh()
      }
    })
  }

  async function cancel() {
    await call(cancelPharmacyImport, { params })
    if (state === 'running') return refresh()
    onDiscarded()
    // A discarded preview does not exist any more: only the list is read again.
    await client.invalidateQueries({ queryKey: endpointKey(listPharmacyImports) })
  }

  const downloadButton =
    counts.refused > 0 ? (
      <Button
        inactive={refused.busy}
        onClick={() => refused.save(downloadRefusedRows, { params }, 'farmacie-rifiutate.csv')}
      >
        <Download aria-hidden />
        Scarica le righe rifiutate
      </Button>
    ) : null

  return (
    <CardSection
      title={stateTitles[state]}
      heading={heading}
      intro={
        <span className="wrap-anywhere tabular-nums">
          {rowCount(run.total)} • file del {formatDateTime(run.created_at)}
          {run.created_by === null ? null : ` • ${run.created_by}`}
        </span>
      }
    >
      <div className="flex flex-col gap-1.5">
        <p role="status" className="max-w-prose text-sm text-pretty">
          {stateText(run)}
        </p>
        {run.ignoredColumns.length > 0 ? (
          <p className="max-w-prose text-sm text-pretty wrap-anywhere text-muted">
            Colonne ignorate: {run.ignoredColumns.join(', ')}.
          </p>
        ) : null}
      </div>
      {state === 'running' ? (
        <ProgressBar
          label="Importazione delle farmacie"
          text={`${formatNumber(run.done)} di ${formatNumber(run.total)} righe`}
          percent={run.total === 0 ? 100 : Math.floor((run.done / run.total) * 100)}
        />
      ) : null}
      <FailureAlert failure={starting.failure} />
      <FailureAlert failure={refused.failure} />
      <div className="flex flex-wrap items-center gap-2.5 empty:hidden">
        {state === 'preview' && writes > 0 ? (
          <Button look="primary" inactive={starting.busy} onClick={start}>
            <Upload aria-hidden />
            {starting.busy ? 'Avvio…' : `Importa ${pharmacyCount(writes)}`}
          </Button>
        ) : null}
        {downloadButton}
        {state === 'preview' ? (
          <Button onClick={() => setStopping(true)} aria-haspopup="dialog">
            <Trash2 aria-hidden />
            Scarta
          </Button>
        ) : null}
        {state === 'running' ? (
          <Button onClick={() => setStopping(true)} aria-haspopup="dialog">
            <CircleStop aria-hidden />
            Interrompi
          </Button>
        ) : null}
      </div>
      {state === 'done' || state === 'cancelled' ? (
        <div className="border-t border-line pt-4">{children}</div>
      ) : null}
      {stopping && (state === 'preview' || state === 'running') ? (
        <ConfirmDialog
          {...(state === 'preview'
            ? {
                title: 'Scartare questa anteprima?',
                text: 'Il file caricato viene eliminato. Le farmacie restano come sono.',
                confirm: 'Scarta',
                confirming: 'Eliminazione…',
              }
            : {
                title: "Interrompere l'importazione?",
                text: 'Le righe già importate restano, le altre no.',
                confirm: 'Interrompi',
                confirming: 'Interruzione…',
              })}
          onConfirm={cancel}
          onClose={() => setStopping(false)}
          onReturnFocus={() => heading.current?.focus()}
        />
      ) : null}
    </CardSection>
  )
}
