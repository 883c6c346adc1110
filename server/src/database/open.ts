import { setTimeout as pause } from 'node:timers/promises'
import { StartupError } from '../base/startup-error.ts'
import type { Config } from '../config/config.ts'
import type { Log } from '../ports/log.ts'
import { withClient } from './client.ts'
import {
  type EmbeddedDatabase,
  type EmbeddedOptions,
  joinEmbedded,
  startEmbedded,
} from './embedded.ts'
import { isDatabaseUnavailable, reason } from './errors.ts'
import { refusePooler } from './pooler.ts'

/** Checks the connection and the version. @throws StartupError with one line, without the password */
async function checkReachable(url: string): Promise<void> {
  try {
    const { rows } = await withClient(url, (client) =>
      client.query<{ version: number }>(
        "select current_setting('server_version_num')::int as version",
      ),
    )
    const version = rows[0]?.version ?? 0
    if (version < 150_000) {
      throw new StartupError('The database of DATABASE_URL is older than PostgreSQL 15.')
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database of DATABASE_URL cannot be used: ${reason(error)}.`, {
      cause: error,
    })
  }
}

/** Milliseconds between two attempts to reach the database, and at least between two lines about it. */
const RETRY_MS = 1_000
const LINE_MS = 30_000

/** Waits until the database can be reached. @throws StartupError if it refuses, which it would do again */
async function untilReachable(url: string, log: Pick<Log, 'warn'>, signal: AbortSignal) {
  let loggedAt = Number.NEGATIVE_INFINITY
  for (;;) {
    try {
      return await checkReachable(url)
    } catch (error) {
      if (!(error instanceof StartupError) || !isDatabaseUnavailable(error.cause)) throw error
      if (performance.now() - loggedAt >= LINE_MS) {
        loggedAt = performance.now()
        log.warn(
          { reason: reason(error.cause) },
          'the start waits for the database of DATABASE_URL',
        )
      }
      await pause(RETRY_MS, undefined, { signal }).catch(() => signal.throwIfAborted())
    }
  }
}

type OpenDatabase = {
  url: string
  /** See `EmbeddedDatabase`. Also undefined where a running server has the database. */
  archive: EmbeddedDatabase['archive']
  close(): Promise<void>
}

/**
 * Opens the configured database: that of DATABASE_URL, or the embedded one in the data folder.
 *
 * @param onLost called when the embedded database has failed for good
 * @param options.wait a database that is unavailable is waited for, until this signal aborts
 * @param options.join connect to the embedded database of a running server, if there is one
 * @throws StartupError when the database cannot be used
 */
export async function openDatabase(
  config: Config,
  log: EmbeddedOptions['log'],
  onLost: (error: Error) => void,
  options: { join?: boolean; wait?: AbortSignal } = {},
): Promise<OpenDatabase> {
  if (config.databaseUrl) {
    if (options.wait) await untilReachable(config.databaseUrl, log, options.wait)
    else await checkReachable(config.databaseUrl)
    await refusePooler(config.databaseUrl)
    return { url: config.databaseUrl, archive: undefined, close: async () => {} }
  }
  const running = options.join ? await joinEmbedded(config.dataDir) : undefined
  if (running) return { url: running, archive: undefined, close: async () => {} }
  // What a command writes belongs into the archive of the server, whose settings the command may not have.
  const archive = config.backups !== undefined || (options.join ? 'as-before' : false)
  const embedded = await startEmbedded({ dataDir: config.dataDir, log, onLost, archive })
  return { url: embedded.url, archive: embedded.archive, close: () => embedded.stop() }
}
