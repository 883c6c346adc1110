import type { FileStore } from '../ports/file-store.ts'
import type { Task } from './jobs.ts'
import { isStillUsed, type KeptFilesStore } from './kept-files.store.ts'

export const FILES_CLEANUP_TASK = 'files.cleanup'

/** UTC: after the cleaning of what refers to files. */
export const dailyFilesCleanup = { task: FILES_CLEANUP_TASK, at: '03:17' }

type Dependencies = {
  files: KeptFilesStore
  store: Pick<FileStore, 'remove'>
  /** Removes what no row knows of: what was being written when a process ended. */
  cleanDisk(): Promise<void>
  log: { info(details: object, message: string): void }
}

/** Files that are looked at in one go. */
const PORTION = 500

/** After so many failures one after the other the store is away, and not one file odd. */
const MOST_FAILURES = 3

/** Takes away the files that nothing refers to any more. */
export function keptFilesTasks({ files, store, cleanDisk, log }: Dependencies) {
  async function remove(key: string): Promise<boolean> {
    try {
      return await files.removeUnused(key, store.remove)
    } catch (error) {
      if (!isStillUsed(error)) throw error
      await files.spare(key)
      return false
    }
  }

  return {
    async [FILES_CLEANUP_TASK](_payload, signal) {
      await cleanDisk()
      let removed = 0
      const failures: unknown[] = []
      let failedInARow = 0
      let keys = await files.unused('', PORTION)
      while (keys.length > 0) {
        for (const key of keys) {
          signal?.throwIfAborted()
          try {
            if (await remove(key)) removed += 1
            failedInARow = 0
          } catch (error) {
            failures.push(error)
            failedInARow += 1
            if (failedInARow === MOST_FAILURES) throw error
          }
        }
        keys = await files.unused(keys.at(-1) ?? '', PORTION)
      }
      log.info({ removed, failed: failures.length }, 'cleaned up files')
      // The job is tried again, for those.
      if (failures.length > 0) throw failures[0]
    },
  } satisfies Record<string, Task>
}
