import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { StartupError } from '../base/startup-error.ts'
import { withClient } from '../database/client.ts'
import { isOfThisVersion } from '../database/migrate.ts'
import { makeKeyFile } from '../platform/backups/backup-key.ts'
import { nameOfPlace } from '../wiring/backups.ts'
import { exportServer } from '../wiring/transfer.ts'
import { command, interruption, openForCommand, secretOfServer } from './command.ts'
import { createTransferLine, placeOf, withExport, withStores } from './transfer-command.ts'

const usage =
  'npm run export -- --to FOLDER|s3://BUCKET/FOLDER --key-file FILE [--pharmacy ID|CODE]  (the key is made when there is none)'

/** The command `npm run export`: exports everything, or one pharmacy, whether or not the server is running. */
await command(async (config) => {
  const { values } = parseArgs({
    options: {
      to: { type: 'string' },
      'key-file': { type: 'string' },
      pharmacy: { type: 'string' },
    },
  })
  const { to, 'key-file': keyFile, pharmacy } = values
  if (!to || !keyFile) throw new StartupError(usage)
  const appSecret = await secretOfServer(config)
  const place = await placeOf({ text: to, keyFile }, config, { isNew: true })
  await makeKeyFile({ file: resolve(keyFile) })
  const database = await openForCommand(config)
  const line = createTransferLine()
  try {
    await requirePresentVersion(database.url)
    const {
      tables,
      files,
      pharmacy: exported,
    } = await withExport(place, keyFile, (store) =>
      withStores(config, (stores) =>
        exportServer(
          store,
          { url: database.url, appSecret, dataDir: config.dataDir, stores },
          pharmacy,
          { signal: interruption(), onProgress: line.onProgress },
        ),
      ),
    )
    line.end()
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    const missing = files.missing > 0 ? ` (${files.missing} were not in the store)` : ''
    return (
      `Exported ${exported ? `the pharmacy ${exported.code}` : 'everything'} to ${nameOfPlace(place)}: ` +
      `${rows} rows of ${tables.length} tables, ${files.rows} files${missing}.\n` +
      `It cannot be read without the key in ${resolve(keyFile)}: hand that over by another way.`
    )
  } finally {
    line.end()
    await database.close()
  }
})

/** The tables that are carried are those of this version. */
async function requirePresentVersion(url: string): Promise<void> {
  if (await withClient(url, isOfThisVersion)) return
  throw new StartupError(
    'The database is of another version of Bancone: export it with that version, or start this one once.',
  )
}
