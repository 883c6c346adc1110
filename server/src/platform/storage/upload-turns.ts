import PQueue from 'p-queue'
import type { Holder } from './access.ts'
import type { Place } from './names.ts'
import { StorageError } from './storage-error.ts'

/** Uploads of one holder that are taken at once. The others wait, and nothing of them is read meanwhile. */
const AT_ONCE = 6

/** Milliseconds that one waits. A connection on which nothing is read for longer would be broken. */
const PATIENCE_MS = 20_000

/**
 * Waits until an upload may begin, and does it.
 * @throws StorageError `SlowDown` when its turn has not come
 */
export type UploadTurns = <T>(whose: string, upload: () => Promise<T>) => Promise<T>

export const turnsOf = (holder: Holder) => holder.folder ?? holder.userId ?? ''

/** A link has turns of its own: whoever was given one cannot keep its owner from uploading. */
export const turnsOfLink = (place: Place) => `link ${place.bucket}/${place.name}`

/** So many at once for each holder: what is under way lies on the disk beside every quota. */
export function createUploadTurns(patienceMs = PATIENCE_MS): UploadTurns {
  const queues = new Map<string, PQueue>()
  return async (whose, upload) => {
    const queue = queues.get(whose) ?? new PQueue({ concurrency: AT_ONCE })
    queues.set(whose, queue)
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(new StorageError('SlowDown')), patienceMs)
    const begin = () => {
      clearTimeout(timer)
      return upload()
    }
    try {
      return await queue.add(begin, { signal: waiting.signal })
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(whose)
    }
  }
}
