import { join } from 'node:path'
import { createLocalFiles } from './adapters/local-files/local-files.ts'
import { createMovedFiles } from './adapters/moved-files/moved-files.ts'
import { createS3Files } from './adapters/s3-files/s3-files.ts'
import type { Config } from './config.ts'
import { createScratch } from './platform/scratch.ts'

/** A folder of this machine, and where files are kept instead of there. */
export type FileSettings = { folder: string; s3?: Config['s3'] }

/** In the bucket if there is one. What was kept on this machine before is found there still. */
export function createFileStores({ folder, s3 }: FileSettings) {
  const inFolder = (name: string) => {
    const local = createLocalFiles({ folder: join(folder, name) })
    const remote = s3 && createS3Files({ ...s3, folder: name })
    return { store: remote ? createMovedFiles(remote, local) : local, local, remote }
  }
  const scratch = createScratch(join(folder, 'scratch'))
  const pictures = inFolder('images')
  const files = inFolder('files')
  return {
    scratch,
    orderPictures: pictures.store,
    files: files.store,
    /** Removes what a process that ended left on this machine's disk. */
    async clean(now: number) {
      await scratch.clean(now)
      await pictures.local.clean(now)
      await files.local.clean(now)
    },
    close() {
      pictures.remote?.close()
      files.remote?.close()
    },
  }
}
