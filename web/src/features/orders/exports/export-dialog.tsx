import { ExportFormat } from '@bancone/contract/order-exports'
import { countOrders } from '@bancone/contract/order-search'
import { Download } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { IncompleteDownloadError } from '../../../lib/download.ts'
import { useEndpoint } from '../../../lib/endpoint-query.ts'
import { formatNumber } from '../../../lib/format.ts'
import { errorMessage } from '../../../lib/messages.ts'
import type { ModalProps } from '../../../lib/use-opened.ts'
import { Alert } from '../../../ui/alert.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { ProgressBar } from '../../../ui/progress-bar.tsx'
import { RadioCards } from '../../../ui/radio-cards.tsx'
import { RetryAlert } from '../../../ui/retry-alert.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { toastError, toastSuccess } from '../../../ui/toast.ts'
import { filterOf, isFiltered, type OrdersListQuery } from '../data/orders-search.ts'
import { type ExportRun, exportRun, IncompleteExportError } from './export-run.ts'

type ExportDialogProps = ModalProps & {
  /** The current query of the list. */
  query: OrdersListQuery
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
            <RadioCards
              legend="Formato"
              name="formato"
              options={formats}
              chosen={format}
              onChange={({ target }) => setFormat(ExportFormat.parse(target.value))}
            />
          </>
        )}
      </div>
    </Dialog>
  )
}

/** @param orders null while the number of orders is unknown */
function ExportProgress({ orders }: { orders: { done: number; total: number } | null }) {
  const percent =
    orders && Math.floor(orders.total > 0 ? Math.min(1, orders.done / orders.total) * 100 : 0)
  const text = orders
    ? `${formatNumber(orders.done)} di ${formatNumber(orders.total)} ordini`
    : 'Preparazione del file…'
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="font-medium">
        Esportazione in corso…
      </p>
      <ProgressBar label="Esportazione degli ordini" text={text} percent={percent} />
      <p className="mt-2 text-sm text-pretty text-muted">
        Puoi chiudere questa finestra e continuare a lavorare: il file si salva da solo. Resta in
        questa scheda del browser.
      </p>
    </div>
  )
}

/** Why the export failed. */
function exportFailure(error: unknown): string {
  const broken = error instanceof IncompleteDownloadError || error instanceof IncompleteExportError
  return broken ? 'Il file non è completo: riprova.' : errorMessage(error)
}

/** How many orders the file will contain. */
function scopeText(total: number, filtered: boolean): string {
  if (total === 0) {
    return filtered ? 'Nessun ordine trovato con i filtri attuali.' : 'Non ci sono ancora ordini.'
  }
  const count = formatNumber(total)
  if (!filtered) return total === 1 ? "L'unico ordine che c'è." : `Tutti i ${count} ordini.`
  return total === 1
    ? '1 ordine trovato con i filtri attuali.'
    : `${count} ordini trovati con i filtri attuali.`
}

const formats: readonly { value: ExportFormat; label: string; note: string }[] = [
  {
    value: 'csv',
    label: 'CSV (Excel)',
    note: 'Testo in colonne: si apre con Excel e con ogni gestionale.',
  },
  { value: 'xlsx', label: 'XLSX', note: 'Cartella di lavoro di Excel.' },
]
