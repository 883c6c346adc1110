import { join } from 'node:path'
import { APP_SECRET_FILE, readSecret } from '../base/secret-file.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Config, readConfig } from '../config/config.ts'
import { connectDatabase, type Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { BackupError } from '../platform/backups/backup-error.ts'
import { createLogger } from '../start/logger.ts'
import { prepareDatabase } from '../start/prepare-database.ts'

/** Runs a command and prints its result, or an error message with exit code 1. */
export async function command(work: (config: Config) => Promise<string>): Promise<void> {
  try {
    const result = await work(readConfig(process.env))
    process.stdout.write(`${result}\n`)
  } catch (error) {
    fail(error)
  }
}

/** Aborts at Ctrl-C or SIGTERM, so that a long command can end what it started. A second signal ends it at once. */
export function interruption(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => interrupted.abort(new StartupError('Interrupted.')))
  }
  return interrupted.signal
}

/**
 * The configured database, whether or not the server is running.
 *
 * @param options.join false: it must not be running
 */
export function openForCommand(config: Config, options = { join: true }) {
  return openDatabase(config, createLogger('warn'), fail, options)
}

/** The secret of a server that was started before: a newly created one would not match. @throws StartupError */
export async function secretOfServer({
  appSecret,
  dataDir,
}: Pick<Config, 'appSecret' | 'dataDir'>): Promise<string> {
  const secret = appSecret ?? (await readSecret(join(dataDir, APP_SECRET_FILE)))
  if (secret) return secret
  throw new StartupError(
    `The server's secret is not in ${dataDir}: set DATA_DIR or APP_SECRET to the server's.`,
  )
}

/**
 * Runs `work` on the configured database, whether or not the server is running. The database is migrated first, under
 * the start lock.
 */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const log = createLogger('warn')
  const database = await openForCommand(config)
  try {
    const connection = connectDatabase(database.url, { max: 1 })
    try {
      return await prepareDatabase(database.url, log, () => work(connection.db))
    } finally {
      await connection.close()
    }
  } finally {
    await database.close()
  }
}

function fail(error: unknown): void {
  // The message of `parseArgs` about an unknown option is meant for the user.
  const known =
    error instanceof StartupError ||
    error instanceof BackupError ||
    (error instanceof TypeError && 'code' in error)
  const line = error instanceof Error ? (known ? error.message : error.stack) : String(error)
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

const EVERY_MS = 500

/** A line of the terminal that shows how far a command is. Without a terminal it shows nothing. */
export function createProgressLine(stream: NodeJS.WriteStream = process.stderr) {
  let shownAt = 0
  return {
    show(text: string) {
      if (!stream.isTTY || Date.now() - shownAt < EVERY_MS) return
      shownAt = Date.now()
      stream.write(`\r\u001b[K${text}`)
    },
    end() {
      if (stream.isTTY) stream.write('\r\u001b[K')
    },
  }
}

export function inMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
