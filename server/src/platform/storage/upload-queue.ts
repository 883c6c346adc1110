import { createBoundedQueue } from '../bounded-queue.ts'
import type { Principal } from './access.ts'
import type { ObjectLocation } from './names.ts'
import { StorageError } from './storage-error.ts'

/** Concurrent uploads per key. The bodies of waiting uploads are not read. */
const CONCURRENCY = 6

/** The longest wait in milliseconds. Idle connections break after longer ones. */
const MAX_WAIT_MS = 20_000

/** Runs an upload when its turn comes. @throws StorageError `SlowDown` when it has waited too long */
export type UploadQueue = <T>(queueKey: string, upload: () => Promise<T>) => Promise<T>

export const queueKeyOf = (principal: Principal) => principal.folder ?? principal.userId ?? ''

/** A signed URL has a queue of its own: its recipient cannot block the signer's uploads. */
export const queueKeyOfSignedUrl = (location: ObjectLocation) =>
  `link ${location.bucket}/${location.name}`

/** Limits the concurrent uploads per principal, because files in transfer do not count against a quota. */
export function createUploadQueue(maxWaitMs = MAX_WAIT_MS): UploadQueue {
  const inTurn = createBoundedQueue({ concurrency: CONCURRENCY })
  return (key, upload) => {
    const waiting = new AbortController()
    const timer = setTimeout(() => waiting.abort(new StorageError('SlowDown')), maxWaitMs)
    const begin = () => {
      clearTimeout(timer)
      return upload()
    }
    return inTurn(begin, { key, signal: waiting.signal })
  }
}
