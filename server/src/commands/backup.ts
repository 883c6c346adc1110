import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { reasonOf } from '../base/files.ts'
import { readSecret } from '../base/secret-file.ts'
import { StartupError } from '../base/startup-error.ts'
import { type BackupKeyConfig, backupPlaceOf, type Config } from '../config/config.ts'
import { passwordFile } from '../database/embedded.ts'
import {
  type BackupKey,
  loadKeys,
  makeKeyFile,
  recoverySheet,
  textOfKey,
} from '../platform/backups/backup-key.ts'
import { type BackupStore, createBackupStore } from '../platform/backups/backup-store.ts'
import { makeBackup } from '../platform/backups/make-backup.ts'
import type { Manifest } from '../platform/backups/manifest.ts'
import { countedTables, nameOfPlace, openBackupPlace } from '../wiring/backups.ts'
import {
  command,
  createProgressLine,
  inMegabytes,
  interruption,
  openForCommand,
  secretOfServer,
} from './command.ts'
import { withStores } from './transfer-command.ts'

/**
 * The command `npm run backup -- [--to FOLDER|s3://BUCKET/FOLDER] [--sheet FILE]`: backs up, whether or not the server is
 * running, or writes the recovery sheet.
 */
await command(async (config) => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, sheet: { type: 'string' } },
  })
  const place = values.to === undefined ? config.backups?.to : backupPlaceOf(values.to, config)
  const { backupKey } = config
  if (!backupKey) {
    throw new StartupError(
      'Set BACKUP_KEY_FILE to a file outside DATA_DIR: the key of the back-ups is made there.',
    )
  }
  if (!place) {
    throw new StartupError('Say where to: --to FOLDER, --to s3://BUCKET/FOLDER or BACKUP_TO.')
  }
  const to = nameOfPlace(place)
  if (values.sheet !== undefined) {
    await makeKeyFile(backupKey)
    const [key] = await loadKeys(backupKey)
    return writeSheet(values.sheet, key, to)
  }
  const secrets = await secretsOf(config)
  const files = await openBackupPlace(place)
  try {
    const isNew = await makeKeyFile(backupKey)
    const store = createBackupStore(files, await loadKeys(backupKey))
    const manifest = await backUp(config, secrets, store)
    const made = `Back-up ${manifest.id}: ${inMegabytes(manifest.bytes)}, ${manifest.files} files.`
    return isNew ? `${made}\n${newKeyNote(backupKey, to)}` : made
  } finally {
    files.close()
  }
})

type Secrets = { appSecret: string; databasePassword: string | undefined }

/** @throws StartupError where no server has been started: otherwise an empty database would be made, and backed up */
async function secretsOf(config: Config): Promise<Secrets> {
  const { dataDir, databaseUrl } = config
  const appSecret = await secretOfServer(config)
  const databasePassword = databaseUrl ? undefined : await readSecret(passwordFile(dataDir))
  if (!databaseUrl && !databasePassword) {
    throw new StartupError(`There is no database in ${dataDir}: set DATA_DIR to the server's.`)
  }
  return { appSecret, databasePassword }
}

async function backUp(config: Config, secrets: Secrets, store: BackupStore): Promise<Manifest> {
  const database = await openForCommand(config)
  const line = createProgressLine()
  try {
    return await withStores(config, (stores) =>
      makeBackup(
        store,
        { url: database.url, ...secrets, stores, countedTables },
        {
          signal: interruption(),
          onProgress({ step, done, total }) {
            const of = total > 0 ? ` of ${inMegabytes(total)}` : ''
            line.show(step === 'files' ? `${done} files` : `Database: ${inMegabytes(done)}${of}`)
          },
        },
      ),
    )
  } finally {
    line.end()
    await database.close()
  }
}

async function writeSheet(path: string, key: BackupKey, place: string): Promise<string> {
  const page = recoverySheet(key.id, textOfKey(key), place)
  // A sheet that exists may be that of an older key.
  await writeFile(path, page, { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
    throw new StartupError(`Cannot make the recovery sheet ${path}: ${reasonOf(error)}.`)
  })
  return `Recovery sheet of the key ${key.id}: ${path}\nPrint it, keep it away from this machine, and delete the file.`
}

function newKeyNote(key: BackupKeyConfig, place: string): string {
  const where = 'file' in key ? key.file : 'BACKUP_KEY'
  return (
    `A new key was made in ${where}. The back-up cannot be read without it: ` +
    `print the recovery sheet (npm run backup -- --to "${place}" --sheet sheet.html) and keep it away from this machine.`
  )
}
