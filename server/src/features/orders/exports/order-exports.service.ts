import type { ExportFormat, OrderExport } from '@bancone/contract/order-exports'
import type { OrderRecord } from '@bancone/contract/orders'
import { AppError } from '../../../app-error.ts'
import type { ServedFile } from '../../../http/serve.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { SourceLocation } from '../../../ports/order-source.ts'
import { soughtOf } from '../search/orders-sought.rules.ts'
import { csvFile } from './csv-file.ts'
import { followExport } from './order-export-progress.ts'
import type { OrderExportRowsStore, Portion } from './order-export-rows.store.ts'
import { type ExportSought, IDLE_SECONDS, type OrderExportsStore } from './order-exports.store.ts'
import { sheetsOf, xlsxFile } from './xlsx-file.ts'

type Owner = { id: string; orderSource: SourceLocation | null }

type Dependencies = {
  store: OrderExportsStore
  rows: OrderExportRowsStore
  /** Brings the copy of the orders up to date. */
  freshen(pharmacyId: string, source: SourceLocation): Promise<unknown>
  clock: Clock
}

export type OrderExports = ReturnType<typeof createOrderExports>

const contentTypes: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
}

/** Files of orders, written while they are taken. */
export function createOrderExports({ store, rows, freshen, clock }: Dependencies) {
  async function find(owner: Owner, id: string): Promise<OrderExport> {
    const found = await store.find(owner.id, id)
    if (!found) throw new AppError('exports.not_found')
    return found
  }

  /** @param onWritten says of so many orders that they are in the file */
  async function* write(
    pharmacyId: string,
    format: ExportFormat,
    asked: ExportSought,
    onWritten: (orders: number) => void,
  ): AsyncGenerator<string | Uint8Array> {
    const sought = soughtOf(asked, clock.now())
    async function* orders(portions: readonly Portion[]): AsyncGenerator<OrderRecord[]> {
      for (const portion of portions) {
        const read = await rows.read(pharmacyId, portion, sought.statuses)
        yield read
        onWritten(read.length)
      }
    }
    const chosen = await rows.choose(pharmacyId, sought, asked.ordina ?? 'recenti')
    if (format === 'csv') yield* csvFile(orders(chosen))
    else yield* xlsxFile(sheetsOf(chosen).map(orders))
  }

  return {
    async start(
      owner: Owner,
      { format, ...sought }: ExportSought & { format: ExportFormat },
    ): Promise<OrderExport> {
      if (owner.orderSource) await freshen(owner.id, owner.orderSource)
      const total = await rows.count(owner.id, soughtOf(sought, clock.now()))
      const added = await store.add(owner.id, { format, sought, total })
      if (!added) throw new AppError('exports.too_many', { retryAfter: IDLE_SECONDS })
      return added
    },

    find,

    async cancel(owner: Owner, id: string): Promise<void> {
      if (!(await store.cancel(owner.id, id))) throw new AppError('exports.not_found')
    },

    async take(owner: Owner, id: string): Promise<ServedFile> {
      const { format, state, fileName } = await find(owner, id)
      if (state !== 'ready') throw new AppError('exports.taken')
      return {
        name: fileName,
        type: contentTypes[format],
        async open() {
          const asked = await store.begin(owner.id, id)
          if (!asked) throw new AppError('exports.taken')
          return followExport(store, { pharmacyId: owner.id, id }, (onWritten) =>
            write(owner.id, format, asked, onWritten),
          )
        },
      }
    },
  }
}
