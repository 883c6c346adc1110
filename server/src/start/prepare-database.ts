import { createHash } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { readOrCreateSecret } from '../base/secret-file.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { type OwnerConnection, withStartLock } from '../database/start-lock.ts'
import { prepareJobs } from '../platform/jobs.ts'
import type { Log } from '../ports/log.ts'
import type { FileSettings } from '../wiring/file-stores.ts'

/**
 * Migrates the database and then runs `rest`, which does the remaining preparations. Only one process at a time does
 * this, because several may start at once on a new database.
 *
 * @param url the address of the account that owns the schema; `rest` is given its connection
 */
export function prepareDatabase<T>(
  url: string,
  log: Log,
  rest: (owner: OwnerConnection) => Promise<T>,
): Promise<T> {
  return withStartLock(url, async (client) => {
    await migrate(client, log)
    await prepareJobs(url, log)
    return rest(client)
  })
}

const PREFIX = 'bancone events '

/**
 * The application name of the connection on which a server listens for events. It ends with a hash of where the server
 * keeps its files, so that servers of one database see whether they have the same.
 */
export async function listenerName({ folder, s3 }: FileSettings): Promise<string> {
  const place = s3 ? `${s3.endpoint} ${s3.bucket}` : await markOf(join(folder, 'files'))
  return PREFIX + createHash('sha256').update(place).digest('base64url').slice(0, 22)
}

/** A random text in a file of the folder, which marks it wherever it is mounted. */
async function markOf(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return readOrCreateSecret(join(folder, '.place'))
}

/** @throws StartupError if a running server of the database keeps its files elsewhere */
export async function refuseOtherFiles(db: Database, ownName: string): Promise<void> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${PREFIX})
      and application_name <> ${ownName}`.execute(db)
  if (rows.length === 0) return
  throw new StartupError(
    'Another server of this database keeps its files elsewhere, and each would miss those of the other: set the same ' +
      'S3_BUCKET for all, or let the folders files and images of their DATA_DIR be the same.',
  )
}
