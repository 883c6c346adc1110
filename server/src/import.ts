import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command, interruption } from './command.ts'
import type { Config } from './config.ts'
import { openDataFolder } from './database/embedded/data-folder.ts'
import { migrationNames } from './database/migrate.ts'
import { openDatabase } from './database/open.ts'
import { createLogger } from './logger.ts'
import {
  readTransferManifest,
  requireKnownMigrations,
  type TransferManifest,
} from './platform/transfer/transfer-manifest.ts'
import { APP_SECRET_FILE, readSecret, writePrivateFile } from './secret-file.ts'
import { StartupError } from './startup-error.ts'
import {
  createTransferLine,
  placeOf,
  secretOfServer,
  withExport,
  withStores,
} from './transfer-command.ts'
import { importInto } from './wiring-transfer.ts'

const usage =
  'npm run import -- --from FOLDER|s3://BUCKET/FOLDER --key-file FILE  (into the database of DATA_DIR or DATABASE_URL)'

/** The command `npm run import`: imports everything into an empty database, or a pharmacy beside others. */
await command(async (config) => {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, 'key-file': { type: 'string' } },
  })
  const { from, 'key-file': keyFile } = values
  if (!from || !keyFile) throw new StartupError(usage)
  const place = await placeOf({ text: from, keyFile }, config, { isNew: false })
  const line = createTransferLine()
  try {
    const manifest = await withExport(place, keyFile, async (store) => {
      const found = await readTransferManifest(store)
      requireKnownMigrations(found, await migrationNames())
      const signal = interruption()
      await withSecret(config, found, (appSecret) =>
        withServer(config, found, (url, stores) =>
          importInto(
            store,
            found,
            { url, appSecret, dataDir: config.dataDir, stores },
            createLogger('warn'),
            { signal, onProgress: line.onProgress },
          ),
        ),
      )
      return found
    })
    line.end()
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const what = `${rows} rows of ${manifest.tables.length} tables, ${manifest.files.rows} files.`
    return manifest.pharmacy
      ? `Imported the pharmacy ${manifest.pharmacy.code}: ${what}`
      : `Imported everything: ${what}\nStart the server with these settings.`
  } finally {
    line.end()
  }
})

/**
 * Runs `work` with the secret of the server. That of an export of everything becomes the server's: its rows are encrypted
 * and hashed with it.
 *
 * @throws StartupError when the server has another one
 */
async function withSecret(
  config: Config,
  { pharmacy, secret }: TransferManifest,
  work: (appSecret: string) => Promise<void>,
): Promise<void> {
  if (pharmacy !== null) return work(await secretOfServer(config))
  const file = join(await openDataFolder(config.dataDir), APP_SECRET_FILE)
  const given = config.appSecret ?? (await readSecret(file))
  if (given !== undefined) {
    if (given === secret) return work(secret)
    throw new StartupError(
      `The exported server has another secret than ${config.appSecret ? 'APP_SECRET' : file}: ` +
        'set APP_SECRET to that of the exported server, or import into a new DATA_DIR without APP_SECRET.',
    )
  }
  // Before the rows, which are worth little without it.
  await writePrivateFile(file, secret)
  try {
    await work(secret)
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
}

/** A database into which everything is imported must not be that of a running server. */
async function withServer<T>(
  config: Config,
  { pharmacy }: TransferManifest,
  work: (url: string, stores: Parameters<Parameters<typeof withStores>[1]>[0]) => Promise<T>,
): Promise<T> {
  const fail = (error: Error) => {
    throw error
  }
  const options = { join: pharmacy !== null }
  const database = await openDatabase(config, createLogger('warn'), fail, options)
  try {
    return await withStores(config, (stores) => work(database.url, stores))
  } finally {
    await database.close()
  }
}
