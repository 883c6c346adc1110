import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { connectDatabase, type DatabaseConnection } from '../src/database/database.ts'
import { migrate, migrationsFolder } from '../src/database/migrate.ts'
import { withStartLock } from '../src/database/start-lock.ts'
import { emptyDatabase } from './database.ts'
import { silentLog } from './silent-log.ts'

/** The migrations of an earlier release, up to the given one. */
async function migrationsUntil(last: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone migrations '))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const names = (await readdir(migrationsFolder)).filter((name) => name <= last)
  for (const name of names) await cp(join(migrationsFolder, name), join(folder, name))
  return folder
}

/** A database as an earlier release left it, migrated up to the given migration. Dropped at the end of the test. */
export async function oldDatabase(last: string): Promise<DatabaseConnection> {
  const { url } = await emptyDatabase()
  const folder = await migrationsUntil(last)
  await withStartLock(url, (client) => migrate(client, silentLog, { folder }))
  const connection = connectDatabase(url, { max: 3 })
  onTestFinished(connection.close)
  return connection
}
