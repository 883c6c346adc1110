import { join } from 'node:path'
import { createFilesWithFallback } from './adapters/fallback-files/fallback-files.ts'
import { createLocalFiles } from './adapters/local-files/local-files.ts'
import { createS3Files } from './adapters/s3-files/s3-files.ts'
import type { Config } from './config.ts'
import { createTemporaryFiles } from './platform/temporary-files.ts'

/** A local folder, and optionally an S3 bucket that is used instead. */
export type FileSettings = { folder: string; s3?: Config['s3'] }

/** Creates the file stores. With a bucket, files stored locally before remain readable. */
export function createFileStores({ folder, s3 }: FileSettings) {
  const inFolder = (name: string) => {
    const local = createLocalFiles({ folder: join(folder, name) })
    const remote = s3 && createS3Files({ ...s3, folder: name })
    return { store: remote ? createFilesWithFallback(remote, local) : local, local, remote }
  }
  const temporaryFiles = createTemporaryFiles(join(folder, 'scratch'))
  const pictures = inFolder('images')
  const files = inFolder('files')
  return {
    temporaryFiles,
    orderPictures: pictures.store,
    files: files.store,
    /** Removes files that ended processes left on the local disk. @param now milliseconds since 1970 */
    async clean(now: number) {
      await temporaryFiles.clean(now)
      await pictures.local.clean(now)
      await files.local.clean(now)
    },
    close() {
      pictures.remote?.close()
      files.remote?.close()
    },
  }
}
