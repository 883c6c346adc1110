import { parseArgs } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import type { Config } from '../config/config.ts'
import {
  readTransferManifest,
  type TransferManifest,
} from '../platform/transfer/transfer-manifest.ts'
import { createLogger } from '../start/logger.ts'
import { importInto } from '../wiring/transfer.ts'
import { command, interruption, openForCommand } from './command.ts'
import {
  createTransferLine,
  placeOf,
  withExport,
  withSecret,
  withStores,
} from './transfer-command.ts'

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
      const signal = interruption()
      await withSecret(config, found, (appSecret, onCommit) =>
        withServer(config, found, (url, stores) =>
          importInto(
            store,
            found,
            { url, appSecret, dataDir: config.dataDir, stores },
            createLogger('warn'),
            { signal, onProgress: line.onProgress, onCommit },
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

/** A database into which everything is imported must not be that of a running server. */
async function withServer<T>(
  config: Config,
  { pharmacy }: TransferManifest,
  work: (url: string, stores: Parameters<Parameters<typeof withStores>[1]>[0]) => Promise<T>,
): Promise<T> {
  const database = await openForCommand(config, { join: pharmacy !== null })
  try {
    return await withStores(config, (stores) => work(database.url, stores))
  } finally {
    await database.close()
  }
}
