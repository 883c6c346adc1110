import type { ExportFormat } from '@bancone/contract/order-exports'
import { countOrders } from '@bancone/contract/order-search'
import { Download } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { errorMessage } from '../../../lib/messages.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toastError, toastResult } from '../../../ui/toast.ts'
import { isFiltered, type OrdersAsked, soughtOf } from '../orders-search.ts'
import { ExportProgress } from './export-progress.tsx'
import { type ExportRun, exportRun } from './export-run.ts'
import { exportFailure, scopeText } from './export-texts.ts'
import { FormatChoice } from './format-choice.tsx'

type ExportDialogProps = {
  /** What the list shows now. */
  asked: OrdersAsked
  onClose: () => void
  onReturnFocus: () => void
}

/** Said wherever one is by then: the dialog may have been closed, and the file is there all the same. */
function sayEnd(run: ExportRun) {
  if (run.state === 'saved') {
    toastResult('Esportazione completata', { description: run.fileName, about: 'export' })
  } else if (run.state === 'failed') {
    toastError('Esportazione non riuscita', {
      description: exportFailure(run.error),
      about: 'export',
    })
  }
}

function Outcome({ run }: { run: ExportRun }) {
  if (run.state === 'saved') {
    return <Alert tone="done">File salvato tra i download: {run.fileName}</Alert>
  }
  if (run.state === 'failed') return <Alert tone="error">{exportFailure(run.error)}</Alert>
  if (run.state === 'cancelled') return <Alert tone="notice">Esportazione annullata.</Alert>
  return null
}

/** How many orders that is, as the server says. */
function Scope({ asked, count }: { asked: OrdersAsked; count: ReturnType<typeof useCount> }) {
  if (count.data)
    return <p className="font-medium">{scopeText(count.data.total, isFiltered(asked))}</p>
  if (count.error === null) {
    return (
      <p role="status">
        <span className="sr-only">Conto degli ordini in corso…</span>
        <Skeleton className="h-5 w-3/5" />
      </p>
    )
  }
  return (
    <RetryAlert busy={count.isFetching} onRetry={() => void count.refetch()}>
      {errorMessage(count.error)}
    </RetryAlert>
  )
}

function useCount(asked: OrdersAsked) {
  return useEndpoint(countOrders, { body: soughtOf(asked) }, { gcTime: 0 })
}

/** Hands the orders that are filtered over as a file. It may be closed while that is being written. */
export function ExportDialog({ asked, onClose, onReturnFocus }: ExportDialogProps) {
  const run = useSyncExternalStore(exportRun.subscribe, exportRun.state)
  const [format, setFormat] = useState<ExportFormat>('csv')
  const count = useCount(asked)
  const running = run.state === 'running'
  const nothing = !count.data || count.data.total === 0

  function start() {
    const body = { ...soughtOf(asked), format, ordina: asked.ordina }
    void exportRun.start(body, sayEnd)
  }

  function close() {
    exportRun.forget()
    onClose()
  }

  const footer = (
    <>
      <Button onClick={close}>Chiudi</Button>
      {/* One button, so that the focus stays on what it has become. */}
      <Button
        look={running ? 'secondary' : 'primary'}
        inactive={!running && nothing}
        onClick={running ? exportRun.cancel : start}
      >
        {running ? null : <Download aria-hidden />}
        {running ? 'Annulla' : 'Esporta'}
      </Button>
    </>
  )
  return (
    <Dialog
      title="Esporta gli ordini"
      footer={footer}
      onClose={close}
      onReturnFocus={onReturnFocus}
    >
      <div className="flex flex-col gap-4">
        <Outcome run={run} />
        {running ? (
          <ExportProgress orders={run.orders} />
        ) : (
          <>
            <div>
              <Scope asked={asked} count={count} />
              <p className="mt-1 text-sm text-pretty text-muted">
                {isFiltered(asked)
                  ? "Per esportare tutti gli ordini togli prima i filtri dall'elenco."
                  : "Per esportarne solo una parte filtra prima l'elenco."}
              </p>
            </div>
            <FormatChoice format={format} onChange={setFormat} />
          </>
        )}
      </div>
    </Dialog>
  )
}
