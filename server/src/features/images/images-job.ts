import type { Task } from '../../platform/jobs.ts'
import type { ImagesService } from './images.service.ts'
import type { ImagesStore } from './images.store.ts'

export const UNUSED_IMAGES_TASK = 'images.cleanup'

/** UTC: before the files go that nothing refers to. */
export const dailyUnusedImages = { task: UNUSED_IMAGES_TASK, at: '02:57' }

type Dependencies = {
  images: Pick<ImagesService, 'removeUnused'>
  store: Pick<ImagesStore, 'unused'>
  log: {
    info(details: object, message: string): void
    warn(details: object, message: string): void
  }
}

/** Pictures that are looked at in one go. */
const PORTION = 500

/** So many failures one after the other are the host's: the job comes again later. */
const HOPELESS = 5

/** Takes away the pictures that nobody shows, and what a process left that ended while it kept one. */
export function unusedImageTasks({ images, store, log }: Dependencies): Record<string, Task> {
  return {
    async [UNUSED_IMAGES_TASK](_payload, signal) {
      const count = { removed: 0, failed: 0 }
      let inARow = 0
      let ids = await store.unused('', PORTION)
      while (ids.length > 0) {
        for (const id of ids) {
          signal?.throwIfAborted()
          try {
            if (await images.removeUnused(id)) count.removed += 1
            inARow = 0
          } catch (error) {
            // One that the host does not let go is no reason to keep the others; tomorrow it is asked again.
            count.failed += 1
            inARow += 1
            if (inARow === HOPELESS) throw error
            log.warn({ err: error, publicId: id }, 'a picture could not be removed')
          }
        }
        ids = await store.unused(ids.at(-1) ?? '', PORTION)
      }
      log.info(count, 'cleaned up pictures nobody shows')
    },
  }
}
