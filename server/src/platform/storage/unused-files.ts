import PQueue from 'p-queue'
import type { KeptFiles } from '../../ports/file-store.ts'

type Log = { warn(details: object, message: string): void }

/** How many are removed at once. */
const AT_ONCE = 8

/**
 * Removes files that no object has any more, so that nobody fills the disk with what they removed. One that
 * cannot be removed now goes with the daily cleaning.
 */
export function createUnusedFiles(files: Pick<KeptFiles, 'remove'>, log: Log) {
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
