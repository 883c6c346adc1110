import { type OrderSource, SourceError, type SourceLocation } from '../../../ports/order-source.ts'
import type { OrderCopyStore } from './order-copy.store.ts'

type Dependencies = {
  store: OrderCopyStore
  source: OrderSource
  log: { warn(details: object, message: string): void }
}

type Table = { pharmacyId: string; location: SourceLocation; signal: AbortSignal }

/** Time between two checks of a table's columns; shorter after the source has rejected a request. */
const CHECK_INTERVAL_MS = 24 * 60 * 60_000
const REFUSED_CHECK_INTERVAL_MS = 10 * 60_000

/** Records the missing columns of a table, for the health report. */
export function createColumnCheck({ store, source, log }: Dependencies) {
  return async (table: Table, after: 'answer' | 'refusal', msSinceCheck: number | null) => {
    const { pharmacyId, location, signal } = table
    if (
      msSinceCheck !== null &&
      msSinceCheck < (after === 'refusal' ? REFUSED_CHECK_INTERVAL_MS : CHECK_INTERVAL_MS)
    )
      return
    const missing = await source.missingColumns(location, signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof SourceError)) throw error
      return undefined
    })
    await store.markColumns(pharmacyId, location, missing)
    if (missing && missing.length > 0) log.warn({ pharmacyId, missing }, 'columns are missing')
  }
}
