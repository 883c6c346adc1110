import { type Config, readConfig } from './config.ts'
import { connectDatabase, type Database } from './database/database.ts'
import { openDatabase } from './database/open.ts'
import { createLogger } from './logger.ts'
import { prepareDatabase } from './prepare-database.ts'
import { StartupError } from './startup-error.ts'

/** Runs a command: prints what it did, or one line that a person can act on, with code 1. */
export async function command(work: (config: Config) => Promise<string>): Promise<void> {
  try {
    const said = await work(readConfig(process.env))
    process.stdout.write(`${said}\n`)
  } catch (error) {
    fail(error)
  }
}

/**
 * Works on the database of the configuration, whether the server runs or not. It is brought up to date
 * first, and nothing else prepares it meanwhile.
 */
export async function withDatabase<T>(
  config: Config,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const log = createLogger('warn')
  const database = await openDatabase(config, log, fail, { join: true })
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
  // What parseArgs says of an option that it does not know is meant for whoever typed it.
  const known = error instanceof StartupError || (error instanceof TypeError && 'code' in error)
  const line = error instanceof Error ? (known ? error.message : error.stack) : String(error)
  process.stderr.write(`${line}\n`)
  process.exit(1)
}
