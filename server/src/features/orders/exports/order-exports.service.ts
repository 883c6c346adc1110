import type { ExportFormat } from '@bancone/contract/order-exports'
import type { OrderRecord } from '@bancone/contract/orders'
import { AppError } from '../../../base/app-error.ts'
import type { ServedFile } from '../../../http/serve.ts'
import type { Audit } from '../../../platform/audit.ts'
import type { Caller } from '../../../platform/auth/auth-context.ts'
import type { Column } from '../../../platform/spreadsheets/columns.ts'
import { csvFile } from '../../../platform/spreadsheets/csv-file.ts'
import { MAX_ROWS, xlsxFile } from '../../../platform/spreadsheets/xlsx-file.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { resolveFilter } from '../search/order-filter.rules.ts'
import {
  BATCH_SIZE,
  type ExportFilter,
  type IdBatch,
  type OrderExportsStore,
} from './order-exports.store.ts'

type Owner = { id: string; pageSource: SourceLocation | null }

type Dependencies = {
  store: OrderExportsStore
  /** Updates the copy of the orders. */
  ensureFresh(pharmacyId: string, source: SourceLocation): Promise<unknown>
  audit: Pick<Audit, 'record'>
  clock: Clock
}

export type OrderExports = ReturnType<typeof createOrderExports>

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Exports of orders to files, which are written while they are downloaded. */
export function createOrderExports({ store, ensureFresh, audit, clock }: Dependencies) {
  /** @param onWritten reports the number of orders written */
  async function* write(
    pharmacyId: string,
    format: ExportFormat,
    exportFilter: ExportFilter,
    onWritten: (orders: number) => void,
  ): AsyncGenerator<string | Uint8Array> {
    const filter = resolveFilter(exportFilter, clock.now())
    async function* orders(batches: readonly IdBatch[]): AsyncGenerator<OrderRecord[]> {
      for (const batch of batches) {
        const read = await store.read(pharmacyId, batch, filter.statuses)
        yield read
        onWritten(read.length)
      }
    }
    const chosen = await store.selectBatches(pharmacyId, filter, exportFilter.ordina ?? 'recenti')
    if (format === 'csv') yield* csvFile(orderColumns, orders(chosen))
    else yield* xlsxFile('Ordini', orderColumns, sheetsOf(chosen).map(orders))
  }

  return {
    async start(owner: Owner, { format, ...filter }: ExportFilter & { format: ExportFormat }) {
      if (owner.pageSource) await ensureFresh(owner.id, owner.pageSource)
      const total = await store.count(owner.id, resolveFilter(filter, clock.now()))
      return store.add(owner.id, { format, filter, total })
    },

    /** @param actor recorded in the audit log, when the file is opened */
    async take(owner: Owner, id: string, actor: { actorId: string } & Caller): Promise<ServedFile> {
      const { format, state, fileName, total } = await store.find(owner.id, id)
      if (state !== 'ready') throw new AppError('exports.taken')
      return {
        name: fileName,
        type: contentTypes[format],
        async open() {
          const exportFilter = await store.start(owner.id, id)
          if (!exportFilter) throw new AppError('exports.taken')
          const details = { format, orders: total }
          await audit.record({ action: 'orders_exported', userId: owner.id, ...actor, details })
          return trackExport(store, { pharmacyId: owner.id, id }, (onWritten) =>
            write(owner.id, format, exportFilter, onWritten),
          )
        },
      }
    },
  }
}

/** The columns of every export. Without pictures: their URLs grant access. */
export const orderColumns: readonly Column<OrderRecord>[] = [
  { label: 'ID Ordine', kind: 'code', width: 12, of: ({ fields }) => fields['ID Ordine'] },
  { label: 'Data Ordine', kind: 'time', width: 17, of: ({ fields }) => fields.Created },
  { label: 'Cliente', kind: 'text', width: 28, of: ({ fields }) => fields.Cliente },
  { label: 'Telefono', kind: 'phone', width: 19, of: ({ fields }) => fields['Phone Number'] },
  { label: 'Indirizzo', kind: 'text', width: 36, of: ({ fields }) => fields.Indirizzo },
  { label: 'Prodotto Richiesto', kind: 'text', width: 60, of: ({ fields }) => fields.Ordine },
  { label: 'Stato', kind: 'text', width: 22, of: ({ fields }) => fields.Stato },
  { label: 'Ultimo Aggiornamento', kind: 'time', width: 22, of: ({ fields }) => fields.Last },
  { label: 'ID Record', kind: 'text', width: 20, of: ({ id }) => id },
]

/** The batches of each sheet of a workbook. There is at least one sheet, and more if the orders do not fit. */
export function sheetsOf(batches: readonly IdBatch[], most = MAX_ROWS): IdBatch[][] {
  const each = Math.floor((most - 1) / BATCH_SIZE)
  const sheets = Math.max(1, Math.ceil(batches.length / each))
  return Array.from({ length: sheets }, (_, n) => batches.slice(n * each, (n + 1) * each))
}

type OpenedFile = Awaited<ReturnType<ServedFile['open']>>

/** Interval of the progress updates, also while the client does not read. */
const REPORT_INTERVAL_MS = 1_000

/**
 * Tracks the progress and the outcome of an export in its row. Cancelling it, in any process, aborts the download.
 *
 * @param write yields the file, and reports the number of orders in each batch
 */
export async function trackExport(
  store: Pick<OrderExportsStore, 'updateProgress' | 'finish'>,
  { pharmacyId, id }: { pharmacyId: string; id: string },
  write: (onWritten: (orders: number) => void) => OpenedFile['parts'],
): Promise<OpenedFile> {
  const cancelled = new AbortController()
  let done = 0
  let isReporting = false
  let isOver = false

  async function report(): Promise<void> {
    if (isReporting) return
    isReporting = true
    try {
      const isUnderWay = await store.updateProgress(pharmacyId, id, done)
      // False also after the end of the export.
      if (!isUnderWay && !isOver) cancelled.abort()
    } finally {
      isReporting = false
    }
  }

  async function* parts() {
    // Default for a client that disconnects.
    let state: 'done' | 'cancelled' | 'failed' = 'cancelled'
    // A temporary failure of the database is ignored here: the queries that read orders report it.
    const timer = setInterval(() => void report().catch(() => {}), REPORT_INTERVAL_MS)
    try {
      yield ''
      yield* write((orders) => {
        done += orders
      })
      isOver = true
      // Before the last chunk is delivered: a client with the complete file finds the export done.
      if (!(await store.finish(pharmacyId, id, { state: 'done', done }))) cancelled.abort()
      cancelled.signal.throwIfAborted()
      state = 'done'
    } catch (error) {
      if (!cancelled.signal.aborted) state = 'failed'
      throw error
    } finally {
      clearInterval(timer)
      if (state !== 'done') await store.finish(pharmacyId, id, { state, done })
    }
  }

  const begun = parts()
  // Starts the generator, up to its empty first chunk, so that its `finally` runs also when the client disconnects
  // before the next one.
  await begun.next()
  return { parts: begun, signal: cancelled.signal }
}
