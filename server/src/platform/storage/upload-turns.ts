import PQueue from 'p-queue'
import type { Holder } from './access.ts'

/** Uploads of one holder that are taken at once. The others wait, and nothing of them is read meanwhile. */
const AT_ONCE = 6

/** Waits until an upload may begin, and does it. */
export type UploadTurns = <T>(holder: Holder, upload: () => Promise<T>) => Promise<T>

/** So many at once for each holder: what is under way lies on the disk beside every quota. */
export function createUploadTurns(): UploadTurns {
  const queues = new Map<string, PQueue>()
  return async (holder, upload) => {
    const whose = holder.folder ?? holder.userId ?? ''
    const queue = queues.get(whose) ?? new PQueue({ concurrency: AT_ONCE })
    queues.set(whose, queue)
    try {
      return await queue.add(upload)
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(whose)
    }
  }
}
