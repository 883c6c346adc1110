import { join } from 'node:path'
import { createFilesWithFallback } from '../adapters/fallback-files/fallback-files.ts'
import { createLocalFiles } from '../adapters/local-files/local-files.ts'
import { createS3Files } from '../adapters/s3-files/s3-files.ts'
import type { Config } from '../config/config.ts'
import type { AppModule } from '../http/app-module.ts'
import type { Context } from '../platform/context.ts'
import { createStoredFilesStore } from '../platform/stored-files.store.ts'
import { createStoredFiles, storedFilesTasks } from '../platform/stored-files.ts'
import { createTemporaryFiles, type TemporaryFiles } from '../platform/temporary-files.ts'
import type { FileStore, StoredFiles } from '../ports/file-store.ts'
import { type BackupSettings, copyToBackup } from './backups.ts'

/** A local folder, and optionally an S3 bucket that is used instead. */
export type FileSettings = {
  folder: string
  s3?: Config['s3']
  /** See `shared-files.ts`. */
  listenerName?: string | undefined
}

type Dependencies = Context & {
  settings: { files: FileSettings; backups?: BackupSettings | undefined }
}

/** The stores of the pictures of orders (`images`) and of all other files. */
export function createFileStores(folder: string, s3: Config['s3']) {
  const inFolder = (name: string) => {
    const local = createLocalFiles({ folder: join(folder, name) })
    const remote = s3 && createS3Files({ ...s3, folder: name })
    return { store: remote ? createFilesWithFallback(remote, local) : local, local, remote }
  }
  return { images: inFolder('images'), files: inFolder('files') }
}

/** Wires the file stores. With a bucket, files stored locally before remain readable. */
export function wireFiles({ db, settings, clock, log }: Dependencies): AppModule & {
  stores: Record<'images' | 'files', FileStore>
  temporaryFiles: TemporaryFiles
  storedFiles: StoredFiles
  orderPictures: FileStore
} {
  const { folder, s3 } = settings.files
  const temporaryFiles = createTemporaryFiles(join(folder, 'scratch'))
  const { images: pictures, files } = createFileStores(folder, s3)
  const onStored = copyToBackup(db, settings.backups)
  const watched = (name: 'images' | 'files', store: FileStore): FileStore => ({
    ...store,
    async put(key, source, contentType) {
      await store.put(key, source, contentType)
      await onStored?.(name, key).catch((error: unknown) => {
        log.warn({ err: error }, 'a file waits for the nightly back-up')
      })
    },
  })
  const stores = {
    images: watched('images', pictures.store),
    files: watched('files', files.store),
  }
  /** Removes files that ended processes left on the local disk. */
  async function cleanDisk() {
    const now = clock.now()
    await temporaryFiles.clean(now)
    await pictures.local.clean(now)
    await files.local.clean(now)
  }
  return {
    temporaryFiles,
    stores,
    orderPictures: stores.images,
    storedFiles: createStoredFiles(db, stores.files),
    tasks: storedFilesTasks({
      files: createStoredFilesStore(db),
      store: stores.files,
      cleanDisk,
      log,
    }),
    start() {
      cleanDisk().catch((error: unknown) => log.warn({ err: error }, 'the disk was not cleaned'))
    },
    close() {
      pictures.remote?.close()
      files.remote?.close()
    },
  }
}
