import type { Log } from '../ports/log.ts'
import { withClient } from './client.ts'

/** Milliseconds between two looks, and after which a commit counts as waiting. */
const LOOK_MS = 3_000

/**
 * Logs when commits of this database wait for a synchronous standby, until stopped. PostgreSQL itself says nothing then,
 * and a start that has to write would hang without a word.
 */
export function watchCommits(url: string, log: Pick<Log, 'warn'>): { stop(): void } {
  async function look(): Promise<void> {
    const waiting = await withClient(url, (client) =>
      client.query(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'SyncRep'
         and state_change < clock_timestamp() - make_interval(secs => $1 / 1000.0) limit 1`,
        [LOOK_MS],
      ),
    )
    if (waiting.rowCount === 0) return
    clearInterval(timer)
    log.warn(
      {},
      'commits wait for a synchronous standby of the database: start one, or see synchronous_standby_names',
    )
  }
  // A look that fails because the database is unavailable is made up for by the next one.
  const timer = setInterval(() => void look().catch(() => {}), LOOK_MS).unref()
  return { stop: () => clearInterval(timer) }
}
