import { rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { makeFolder, reasonOf } from '../base/files.ts'
import { APP_SECRET_FILE, readSecret, writePrivateFile } from '../base/secret-file.ts'
import { StartupError } from '../base/startup-error.ts'
import { type BackupPlace, backupPlaceOf, type Config, isWithin } from '../config/config.ts'
import { openDataFolder } from '../database/embedded/folders.ts'
import { BackupError } from '../platform/backups/backup-error.ts'
import { loadKeys } from '../platform/backups/backup-key.ts'
import { type BackupStore, createBackupStore } from '../platform/backups/backup-store.ts'
import type { TransferProgress } from '../platform/transfer/export.ts'
import type { TransferManifest } from '../platform/transfer/transfer-manifest.ts'
import { openBackupPlace } from '../wiring/backups.ts'
import { createFileStores } from '../wiring/file-stores.ts'
import { createProgressLine, secretOfServer } from './command.ts'

/**
 * Where an export is, as on the command line: a folder, or `s3://bucket/folder`.
 *
 * @throws StartupError, also when its key would be with it
 */
export async function placeOf(
  { text, keyFile }: { text: string; keyFile: string },
  config: Config,
  { isNew }: { isNew: boolean },
): Promise<BackupPlace> {
  const place = backupPlaceOf(text, config)
  if (!('s3' in place) && isWithin(resolve(keyFile), place.folder)) {
    throw new StartupError('The key must not be in the folder of the export that it opens.')
  }
  if (isNew && !('s3' in place)) {
    await makeFolder(place.folder, 0o700).catch((error: unknown) => {
      throw new StartupError(`Cannot make the folder ${place.folder}: ${reasonOf(error)}.`)
    })
  }
  return place
}

/**
 * Runs `work` with the export in a place.
 *
 * @param keyFile the file with its key
 * @throws StartupError
 */
export async function withExport<T>(
  place: BackupPlace,
  keyFile: string,
  work: (store: BackupStore) => Promise<T>,
): Promise<T> {
  const file = resolve(keyFile)
  const keys = await loadKeys({ file }).catch((error: unknown) => {
    if (!(error instanceof BackupError)) throw error
    throw new StartupError(`The key of the export cannot be read from ${file}: ${error.message}`)
  })
  const files = await openBackupPlace(place)
  try {
    return await work(createBackupStore(files, keys))
  } catch (error) {
    if (error instanceof BackupError && error.kind === 'key_unusable') {
      throw new StartupError(`The export was encrypted with another key than that in ${file}.`)
    }
    throw error
  } finally {
    files.close()
  }
}

/**
 * Runs the import `work` with the secret of the server. That of an export of everything becomes the server's: its rows are
 * encrypted and hashed with it. `work` calls `onCommit` before it commits them: what fails later leaves the secret there.
 *
 * @throws StartupError when the server has another one
 */
export async function withSecret(
  config: Pick<Config, 'appSecret' | 'dataDir'>,
  { pharmacy, secret }: Pick<TransferManifest, 'pharmacy' | 'secret'>,
  work: (appSecret: string, onCommit: () => void) => Promise<void>,
): Promise<void> {
  let isNeeded = false
  const onCommit = () => {
    isNeeded = true
  }
  if (pharmacy !== null) return work(await secretOfServer(config), onCommit)
  const file = join(await openDataFolder(config.dataDir), APP_SECRET_FILE)
  const given = config.appSecret ?? (await readSecret(file))
  if (given !== undefined) {
    if (given === secret) return work(secret, onCommit)
    throw new StartupError(
      `The exported server has another secret than ${config.appSecret ? 'APP_SECRET' : file}: ` +
        'set APP_SECRET to that of the exported server, or import into a new DATA_DIR without APP_SECRET.',
    )
  }
  // Before the rows, which are worth little without it.
  await writePrivateFile(file, secret)
  try {
    await work(secret, onCommit)
  } catch (error) {
    if (!isNeeded) await rm(file, { force: true })
    throw error
  }
}

/** The stores of the server's files, for the time of `work`. */
export async function withStores<T>(
  { dataDir, s3 }: Config,
  work: (stores: {
    images: ReturnType<typeof createFileStores>['images']['store']
    files: ReturnType<typeof createFileStores>['files']['store']
  }) => Promise<T>,
): Promise<T> {
  const { images, files } = createFileStores(dataDir, s3)
  try {
    return await work({ images: images.store, files: files.store })
  } finally {
    images.remote?.close()
    files.remote?.close()
  }
}

/** Shows how far a command is. */
export function createTransferLine() {
  const line = createProgressLine()
  return {
    onProgress({ step, name, done, total }: TransferProgress) {
      line.show(
        step === 'files' ? `${done} of ${total} files` : `Table ${done + 1} of ${total}: ${name}`,
      )
    },
    end: line.end,
  }
}
