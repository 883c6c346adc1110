import type { WatchStatement } from '../../database/prepared-client.ts'
import type { Log } from '../../ports/log.ts'
import { createCache } from '../cache.ts'

/** The same statement is logged once in so many milliseconds: everything is slow while a disk or a lock is. */
const QUIET_MS = 10_000

/** Longer texts are cut. */
const MAX_LENGTH = 1_000

/**
 * Logs statements that take longer than `slowMs` with their text, which has placeholders instead of values.
 * Waiting for a free connection does not count.
 */
export function logSlowStatements(log: Pick<Log, 'warn'>, slowMs: number): WatchStatement {
  /** Those that were not logged since the last line, by statement. */
  const unlogged = createCache<{ count: number; loggedAt: number }>({ max: 500 })

  function logSlow(text: string, ms: number): void {
    const now = performance.now()
    const before = unlogged.get(text)
    if (before && now - before.loggedAt < QUIET_MS) {
      before.count += 1
      return
    }
    unlogged.set(text, { count: 0, loggedAt: now })
    log.warn(
      {
        ms: Math.round(ms),
        statement: text.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_LENGTH),
        ...(before && before.count > 0 && { others: before.count }),
      },
      'slow statement',
    )
  }

  return (text) => {
    const startedAt = performance.now()
    return () => {
      const ms = performance.now() - startedAt
      if (ms > slowMs) logSlow(text, ms)
    }
  }
}
