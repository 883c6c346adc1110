import PQueue from 'p-queue'
import type { StoredFiles } from '../../ports/file-store.ts'
import type { Log } from '../../ports/log.ts'

/** Concurrent removals. */
const AT_ONCE = 8

/**
 * Removes files that no object refers to any more, so that the disk does not fill with them. A file that cannot
 * be removed now is left to the daily cleanup.
 */
export function createUnusedFiles(files: Pick<StoredFiles, 'remove'>, log: Pick<Log, 'warn'>) {
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
