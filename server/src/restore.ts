import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { command, interruption } from './command.ts'
import { backupPlaceOf, type Config } from './config.ts'
import { createLogger } from './logger.ts'
import { type Keyring, readKeys } from './platform/backups/backup-key.ts'
import { createBackupStore } from './platform/backups/backup-store.ts'
import { loadKeys } from './platform/backups/load-keys.ts'
import { restore } from './platform/backups/restore.ts'
import { createProgressLine, inMegabytes } from './progress-line.ts'
import { timeInRome } from './rome-time.ts'
import { StartupError } from './startup-error.ts'
import { openBackupPlace } from './wiring-backups.ts'
import { createFileStores } from './wiring-files.ts'

const usage =
  'npm run restore -- --from FOLDER|s3://BUCKET/FOLDER --into FOLDER [--until "2026-11-22 10:00"]  (in Italian time)'

/** The command `npm run restore`: makes a new data folder of a back-up. */
await command(async (config) => {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, into: { type: 'string' }, until: { type: 'string' } },
  })
  if (!values.from || !values.into) throw new StartupError(usage)
  const into = resolve(values.into)
  const until = values.until === undefined ? undefined : timeInRome(values.until)
  if (Number.isNaN(until)) throw new StartupError(usage)
  const files = await openBackupPlace(backupPlaceOf(values.from, config))
  const line = createProgressLine()
  try {
    const { manifest, lastChange, ...found } = await restore({
      store: createBackupStore(files, await keysFor(config)),
      into,
      until,
      signal: interruption(),
      storesIn(dataDir) {
        const { images, files: others } = createFileStores(dataDir, undefined)
        return { images: images.store, files: others.store }
      },
      log: createLogger('error'),
      onProgress({ step, done, total }) {
        if (step === 'database') line.show(`Database: ${inMegabytes(done)}`)
        else line.show(`${step === 'log' ? 'Log' : 'Files'}: ${done} of ${total}`)
      },
    })
    line.end()
    const state = lastChange === null ? '' : ` with changes until ${lastChange}`
    const absent = found.absentFiles > 0 ? `; ${found.absentFiles} were not copied yet` : ''
    const done = `The back-up ${manifest.id}${state} is in ${into}, with ${found.files} files${absent}.`
    if (found.lostFiles > 0) {
      throw new StartupError(
        `${done} But ${found.lostFiles} files are damaged or missing in the back-up, and could not be restored.`,
      )
    }
    return `${done}\nStart the server with DATA_DIR=${into} and its other settings.`
  } finally {
    line.end()
    files.close()
  }
})

/** On an empty machine the key is on paper. */
async function keysFor(config: Config): Promise<Keyring> {
  if (config.backupKey) return loadKeys(config.backupKey)
  if (!process.stdin.isTTY) {
    throw new StartupError('Set BACKUP_KEY or BACKUP_KEY_FILE to the key of the recovery sheet.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return readKeys(await terminal.question('Key of the recovery sheet: '))
  } finally {
    terminal.close()
  }
}
