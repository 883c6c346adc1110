import { type OrderSource, SourceError, type SourceLocation } from '../../../ports/order-source.ts'
import type { OrderCopyStore } from './order-copy.store.ts'

type Dependencies = {
  store: OrderCopyStore
  source: OrderSource
  log: { warn(details: object, message: string): void }
}

type Table = { pharmacyId: string; location: SourceLocation; signal: AbortSignal }

/** Milliseconds after which the columns of a table are looked at again; sooner once it refused something. */
const DAY = 24 * 60 * 60_000
const AFTER_REFUSAL = 10 * 60_000

/** Notes which columns a table has not, so that somebody can be told. */
export function createOrderColumns({ store, source, log }: Dependencies) {
  return async (table: Table, after: 'answer' | 'refusal', ago: number | null) => {
    const { pharmacyId, location, signal } = table
    if (ago !== null && ago < (after === 'refusal' ? AFTER_REFUSAL : DAY)) return
    const missing = await source.missingColumns(location, signal).catch((error: unknown) => {
      if (signal.aborted || !(error instanceof SourceError)) throw error
      return undefined
    })
    await store.markColumns(pharmacyId, location, missing)
    if (missing && missing.length > 0) log.warn({ pharmacyId, missing }, 'columns are missing')
  }
}
