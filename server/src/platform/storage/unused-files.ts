import PQueue from 'p-queue'
import type { StoredFiles } from '../../ports/file-store.ts'

type Log = { warn(details: object, message: string): void }

/** Concurrent removals. */
const AT_ONCE = 8

/**
 * Removes files that no object refers to any more, so that the disk does not fill with them. A file that cannot
 * be removed now is left to the daily cleanup.
 */
export function createUnusedFiles(files: Pick<StoredFiles, 'remove'>, log: Log) {
  const queue = new PQueue({ concurrency: AT_ONCE })
  return async (keys: readonly string[]): Promise<void> => {
    await queue.addAll(
      keys.map((key) => async () => {
        await files.remove(key).catch((error: unknown) => {
          log.warn({ err: error }, 'a file is left to the daily cleaning')
        })
      }),
    )
  }
}

export type RemoveUnused = ReturnType<typeof createUnusedFiles>
