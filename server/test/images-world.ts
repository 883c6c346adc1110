import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  createImages,
  UNUSED_IMAGES_TASK,
  unusedImageTasks,
} from '../src/features/images/images.service.ts'
import { createImagesStore } from '../src/features/images/images.store.ts'
import { createTemporaryFiles } from '../src/platform/temporary-files.ts'
import type { ImageHost } from '../src/ports/image-host.ts'
import { testDatabase } from './database.ts'
import { scriptedPictures } from './scripted-pictures.ts'
import { silentLog } from './silent-log.ts'
import { testFileFolder } from './temporary-folder.ts'

export type ImagesWorld = Awaited<ReturnType<typeof imagesWorld>>

/** The images service without HTTP, on a real database. */
export async function imagesWorld() {
  const database = await testDatabase()
  const store = createImagesStore(database.db)
  const folder = await testFileFolder()
  const picture = join(folder, 'picture')
  await writeFile(picture, 'a picture')
  /** An images service over that host, as a process has it. */
  const service = (host: ImageHost, by = store) =>
    createImages({
      store: by,
      host,
      hosts: [host],
      pictures: scriptedPictures(),
      temporaryFiles: createTemporaryFiles(join(folder, 'scratch')),
      outbound: { fetch: () => Promise.reject(new Error('nothing is fetched')) },
      limits: { take: async () => {}, refund: async () => {}, reset: async () => {} },
      clock: { now: Date.now },
      onRemoved() {},
    })
  return {
    database,
    store,
    /** The path of a picture file. */
    picture,
    service,
    async clean(host: ImageHost, signal?: AbortSignal) {
      const tasks = unusedImageTasks({ images: service(host), store, log: silentLog })
      await tasks[UNUSED_IMAGES_TASK]?.run({}, signal)
    },
    /** Makes all pictures older. */
    async age(hours: number) {
      const by = `interval '${hours} hours'`
      await database.pool.query(
        `update images set created_at = created_at - ${by}, released_at = released_at - ${by}`,
      )
    },
  }
}
