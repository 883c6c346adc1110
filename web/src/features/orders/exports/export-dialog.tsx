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
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { filterOf, isFiltered, type OrdersListQuery } from '../orders-search.ts'
import { ExportProgress } from './export-progress.tsx'
import { type ExportRun, exportRun } from './export-run.ts'
import { exportFailure, scopeText } from './export-texts.ts'
import { FormatChoice } from './format-choice.tsx'

type ExportDialogProps = {
  /** The current query of the list. */
  query: OrdersListQuery
  onClose: () => void
  onReturnFocus: () => void
}

/** Shows the result as a toast, on whatever page: the dialog may have been closed. */
function notifyEnd(run: ExportRun) {
  if (run.state === 'saved') {
    toastSuccess('Esportazione completata', { description: run.fileName, about: 'export' })
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

/** The number of orders, counted by the server. */
function Scope({ query, count }: { query: OrdersListQuery; count: ReturnType<typeof useCount> }) {
  if (count.data)
    return <p className="font-medium">{scopeText(count.data.total, isFiltered(query))}</p>
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

function useCount(query: OrdersListQuery) {
  return useEndpoint(countOrders, { body: filterOf(query) }, { gcTime: 0 })
}

/** Exports the filtered orders to a file. The export continues when the dialog is closed. */
export function ExportDialog({ query, onClose, onReturnFocus }: ExportDialogProps) {
  const run = useSyncExternalStore(exportRun.subscribe, exportRun.state)
  const [format, setFormat] = useState<ExportFormat>('csv')
  const count = useCount(query)
  const running = run.state === 'running'
  const isEmpty = !count.data || count.data.total === 0

  function start() {
    const body = { ...filterOf(query), format, ordina: query.ordina }
    void exportRun.start(body, notifyEnd)
  }

  function close() {
    exportRun.reset()
    onClose()
  }

  const footer = (
    <>
      <Button onClick={close}>Chiudi</Button>
      {/* One button, so that the focus stays on it when its action changes. */}
      <Button
        look={running ? 'secondary' : 'primary'}
        inactive={!running && isEmpty}
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
              <Scope query={query} count={count} />
              <p className="mt-1 text-sm text-pretty text-muted">
                {isFiltered(query)
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
