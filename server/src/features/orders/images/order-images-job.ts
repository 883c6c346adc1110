import { z } from 'zod'
import type { Tasks } from '../../../platform/jobs.ts'
import type { FileStore } from '../../../ports/file-store.ts'
import type { OrderImageFilesStore } from './order-image-files.store.ts'
import type { OrderImages } from './order-images.service.ts'
import { IMAGE_TASK } from './order-images.store.ts'

export const IMAGE_CLEANUP_TASK = 'orders.images.cleanup'

const Payload = z.object({ pharmacyId: z.uuid(), orderId: z.string() })

type Dependencies = {
  images: Pick<OrderImages, 'copy' | 'copyLeft'>
  files: OrderImageFilesStore
  host: Pick<FileStore, 'remove'>
  log: { info(details: object, message: string): void }
}

/** Files that are checked at a time. */
const BATCH_SIZE = 500

/** Copies the attachments of an order, and removes the files to which no order refers. */
export function imageTasks({ images, files, host, log }: Dependencies) {
  return {
    [IMAGE_TASK]: {
      lane: 'media',
      run(payload, signal) {
        const { pharmacyId, orderId } = Payload.parse(payload)
        return images.copy(pharmacyId, orderId, signal)
      },
    },

    [IMAGE_CLEANUP_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const gone = { pictures: await files.deleteGone(), files: 0 }
        let unused = await files.listUnused(undefined, BATCH_SIZE)
        while (unused.length > 0) {
          for (const file of unused) {
            signal?.throwIfAborted()
            if (await files.remove(file, () => host.remove(file.key))) gone.files += 1
          }
          unused = await files.listUnused(unused.at(-1), BATCH_SIZE)
        }
        log.info(gone, 'cleaned up pictures')
        await images.copyLeft()
      },
    },
  } satisfies Tasks
}

/**
 * Removes the pictures of a pharmacy whose orders are gone. Can be repeated.
 *
 * @param signal stops before the next file
 * @returns the number of removed files
 */
export async function removePicturesOf(
  pharmacyId: string,
  { files, host }: Pick<Dependencies, 'files' | 'host'>,
  signal?: AbortSignal,
): Promise<number> {
  let removed = 0
  let keys = await files.listUnusedOf(pharmacyId, '', BATCH_SIZE)
  while (keys.length > 0) {
    for (const key of keys) {
      signal?.throwIfAborted()
      if (await files.remove({ pharmacyId, key }, () => host.remove(key), true)) removed += 1
    }
    keys = await files.listUnusedOf(pharmacyId, keys.at(-1) ?? '', BATCH_SIZE)
  }
  return removed
}
