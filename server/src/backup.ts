import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { command } from './command.ts'
import { type BackupKeyConfig, backupPlaceOf, type Config } from './config.ts'
import { passwordFile } from './database/embedded.ts'
import { openDatabase } from './database/open.ts'
import { createLogger } from './logger.ts'
import { type BackupKey, textOfKey } from './platform/backups/backup-key.ts'
import { createBackupStore } from './platform/backups/backup-store.ts'
import { loadKeys, makeKeyFile } from './platform/backups/load-keys.ts'
import { makeBackup } from './platform/backups/make-backup.ts'
import { recoverySheet } from './platform/backups/recovery-sheet.ts'
import { createProgressLine, inMegabytes } from './progress-line.ts'
import { APP_SECRET_FILE, readSecret } from './secret-file.ts'
import { StartupError } from './startup-error.ts'
import { countedTables, openBackupPlace } from './wiring-backups.ts'
import { createFileStores } from './wiring-files.ts'

/**
 * The command `npm run backup -- [--to FOLDER|s3://BUCKET/FOLDER] [--sheet FILE]`: backs up, whether or not the server is
 * running, or writes the recovery sheet.
 */
await command(async (config) => {
  const { values } = parseArgs({
    options: { to: { type: 'string' }, sheet: { type: 'string' } },
  })
  const place = values.to === undefined ? config.backups?.to : backupPlaceOf(values.to, config)
  if (!config.backupKey) {
    throw new StartupError(
      'Set BACKUP_KEY_FILE to a file outside DATA_DIR: the key of the back-ups is made there.',
    )
  }
  const isNew = await makeKeyFile(config.backupKey)
  const keys = await loadKeys(config.backupKey)
  if (values.sheet !== undefined) return writeSheet(values.sheet, keys[0], values.to)
  if (!place)
    throw new StartupError('Say where to: --to FOLDER, --to s3://BUCKET/FOLDER or BACKUP_TO.')
  const files = await openBackupPlace(place)
  try {
    const manifest = await backUp(config, createBackupStore(files, keys))
    const made = `Back-up ${manifest.id}: ${inMegabytes(manifest.bytes)}, ${manifest.files} files.`
    return isNew ? `${made}\n${newKeyNote(config.backupKey)}` : made
  } finally {
    files.close()
  }
})

async function backUp(config: Config, store: ReturnType<typeof createBackupStore>) {
  const { dataDir, databaseUrl, s3 } = config
  const appSecret = config.appSecret ?? (await readSecret(join(dataDir, APP_SECRET_FILE)))
  if (!appSecret) {
    throw new StartupError(
      `The server's secret is not in ${dataDir}: set DATA_DIR or APP_SECRET to the server's.`,
    )
  }
  const fail = (error: Error) => {
    throw error
  }
  const database = await openDatabase(config, createLogger('warn'), fail, { join: true })
  const { images, files } = createFileStores(dataDir, s3)
  const line = createProgressLine()
  try {
    return await makeBackup(
      store,
      {
        url: database.url,
        databasePassword: databaseUrl ? undefined : await readSecret(passwordFile(dataDir)),
        appSecret,
        stores: { images: images.store, files: files.store },
        countedTables,
      },
      {
        onProgress({ step, done, total }) {
          if (step === 'files') line.show(`${done} files`)
          else
            line.show(
              `Database: ${inMegabytes(done)}${total > 0 ? ` of ${inMegabytes(total)}` : ''}`,
            )
        },
      },
    )
  } finally {
    line.end()
    images.remote?.close()
    files.remote?.close()
    await database.close()
  }
}

async function writeSheet(path: string, key: BackupKey, to: string | undefined): Promise<string> {
  const place = to ?? 'BACKUP_TO'
  // A sheet that exists may be that of an older key.
  await writeFile(path, recoverySheet(key.id, textOfKey(key), place), { flag: 'wx', mode: 0o600 })
  return `Recovery sheet of the key ${key.id}: ${path}\nPrint it, keep it away from this machine, and delete the file.`
}

function newKeyNote(key: BackupKeyConfig): string {
  const where = 'file' in key ? key.file : 'BACKUP_KEY'
  return (
    `A new key was made in ${where}. Without it nobody can read the back-up: ` +
    'print the recovery sheet (npm run backup -- --sheet sheet.html) and keep it away from this machine.'
  )
}
