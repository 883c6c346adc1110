import { setTimeout as pause } from 'node:timers/promises'
import type { MigrationFailure } from '@bancone/contract/migration-runs'
import { SourceError } from '../../../ports/order-source.ts'

/** Failures in a row, without progress between them, after which a run fails. */
const MAX_FAILURES = 12
const MAX_RETRY_MS = 30_000

/** A normal reading may have taken the lease over, and have newer data than a page that was requested before. */
export class OutdatedPageError extends Error {}

type Options = {
  /** The wait after the first failure in milliseconds; doubled with each further one. */
  retryMs: number
  signal: AbortSignal
  /** The number of records done so far: failures are counted anew when it grows. */
  done?: () => number
  /** Called before the wait. */
  onFailure(failure: MigrationFailure): Promise<void>
}

/** Does work again after transient failures of the order source. */
export async function retried<T>(
  work: () => Promise<T>,
  { retryMs, signal, onFailure, done = () => 0 }: Options,
): Promise<T> {
  let failures = 0
  for (;;) {
    const before = done()
    try {
      return await work()
    } catch (error) {
      if (!isTransient(error)) throw error
      failures = done() > before ? 1 : failures + 1
      if (failures > MAX_FAILURES) throw error
      if (error instanceof SourceError) await onFailure(failureOf(error))
    }
    signal.throwIfAborted()
    await pause(Math.min(retryMs * 2 ** (failures - 1), MAX_RETRY_MS), undefined, { signal })
  }
}

export function failureOf(error: unknown): MigrationFailure {
  if (!(error instanceof SourceError)) return 'internal'
  return error.kind === 'not_found' ? 'refused' : error.kind
}

function isTransient(error: unknown): boolean {
  if (error instanceof OutdatedPageError) return true
  return error instanceof SourceError && ['unreachable', 'rate_limited'].includes(error.kind)
}
