import type { ExportFormat, OrderExport } from '@bancone/contract/order-exports'
import type { OrderRecord } from '@bancone/contract/orders'
import { AppError } from '../../../app-error.ts'
import type { ServedFile } from '../../../http/serve.ts'
import type { Audit } from '../../../platform/audit.ts'
import type { Caller } from '../../../platform/auth/auth-context.ts'
import { csvFile } from '../../../platform/spreadsheets/csv-file.ts'
import { xlsxFile } from '../../../platform/spreadsheets/xlsx-file.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { resolveFilter } from '../search/order-filter.rules.ts'
import { orderColumns, sheetsOf } from './order-columns.ts'
import { trackExport } from './order-export-progress.ts'
import type { IdBatch, OrderExportRowsStore } from './order-export-rows.store.ts'
import type { ExportFilter, OrderExportsStore } from './order-exports.store.ts'

type Owner = { id: string; pageSource: SourceLocation | null }

type Dependencies = {
  store: OrderExportsStore
  rows: OrderExportRowsStore
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
export function createOrderExports({ store, rows, ensureFresh, audit, clock }: Dependencies) {
  async function find(owner: Owner, id: string): Promise<OrderExport> {
    const found = await store.find(owner.id, id)
    if (!found) throw new AppError('exports.not_found')
    return found
  }

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
        const read = await rows.read(pharmacyId, batch, filter.statuses)
        yield read
        onWritten(read.length)
      }
    }
    const chosen = await rows.selectBatches(pharmacyId, filter, exportFilter.ordina ?? 'recenti')
    if (format === 'csv') yield* csvFile(orderColumns, orders(chosen))
    else yield* xlsxFile('Ordini', orderColumns, sheetsOf(chosen).map(orders))
  }

  return {
    async start(
      owner: Owner,
      { format, ...filter }: ExportFilter & { format: ExportFormat },
    ): Promise<OrderExport> {
      if (owner.pageSource) await ensureFresh(owner.id, owner.pageSource)
      const total = await rows.count(owner.id, resolveFilter(filter, clock.now()))
      return store.add(owner.id, { format, filter, total })
    },

    find,

    async cancel(owner: Owner, id: string): Promise<void> {
      if (!(await store.cancel(owner.id, id))) throw new AppError('exports.not_found')
    },

    /** @param actor recorded in the audit log, when the file is opened */
    async take(owner: Owner, id: string, actor: { actorId: string } & Caller): Promise<ServedFile> {
      const { format, state, fileName, total } = await find(owner, id)
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
