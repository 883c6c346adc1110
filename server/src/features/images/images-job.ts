import type { Tasks } from '../../platform/jobs.ts'
import type { Log } from '../../ports/log.ts'
import type { ImagesService } from './images.service.ts'
import type { ImagesStore } from './images.store.ts'

export const UNUSED_IMAGES_TASK = 'images.cleanup'

type Dependencies = {
  images: Pick<ImagesService, 'removeUnused'>
  store: Pick<ImagesStore, 'unused'>
  log: Pick<Log, 'info' | 'warn'>
}

/** Pictures per batch. */
const PORTION = 500

/** After so many failures in a row the image host is taken to be down, and the job is retried later. */
const HOPELESS = 5

/** Removes pictures that are not in use, and uploads that a crashed process left behind. */
export function unusedImageTasks({ images, store, log }: Dependencies): Tasks {
  return {
    [UNUSED_IMAGES_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
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
              // A picture that the host cannot delete does not stop the others; it is retried the next day.
              count.failed += 1
              inARow += 1
              if (inARow === HOPELESS) throw error
              log.warn({ err: error, publicId: id }, 'a picture could not be removed')
            }
          }
          ids = await store.unused(ids.at(-1) ?? '', PORTION)
        }
        log.info(count, 'cleaned up unused pictures')
      },
    },
  }
}
