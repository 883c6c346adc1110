import PQueue from 'p-queue'
import type { Database } from '../database/database.ts'
import type { FileStore, StoredFiles } from '../ports/file-store.ts'
import type { Log } from '../ports/log.ts'
import type { Tasks } from './jobs.ts'
import { createStoredFilesStore, isStillUsed, type StoredFilesStore } from './stored-files.store.ts'

/**
 * Concurrent removals. Each one holds a database connection for as long as the file store takes: without a limit, a
 * file store that hangs would exhaust the connection pool.
 */
const REMOVED_AT_ONCE = 3

/** A file store that registers every file in the database. See the port `StoredFiles`. */
export function createStoredFiles(db: Database, store: FileStore): StoredFiles {
  const rows = createStoredFilesStore(db)
  const removals = new PQueue({ concurrency: REMOVED_AT_ONCE })
  return {
    async put(key, source, contentType, originalKey) {
      await rows.register(key, originalKey ?? null)
      await store.put(key, source, contentType)
      // It may have been removed in the meantime, together with its original: then the job removes it.
      await rows.registerIfMissing(key)
    },
    open: store.open,
    remove: (key) => removals.add(() => rows.remove(key, store.remove)),
  }
}

export const FILES_CLEANUP_TASK = 'files.cleanup'

type Dependencies = {
  files: StoredFilesStore
  store: Pick<FileStore, 'remove'>
  /** Removes incomplete files that processes left on the disk when they ended. */
  cleanDisk(): Promise<void>
  log: Pick<Log, 'info'>
}

/** Files per query. */
const BATCH_SIZE = 500

/** After so many consecutive failures the store counts as unavailable, and the job ends. */
const MAX_FAILURES = 3

/** The job that removes files without references. */
export function storedFilesTasks({ files, store, cleanDisk, log }: Dependencies) {
  async function remove(key: string): Promise<boolean> {
    try {
      return await files.removeUnused(key, store.remove)
    } catch (error) {
      if (!isStillUsed(error)) throw error
      await files.markUsed(key)
      return false
    }
  }

  return {
    [FILES_CLEANUP_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        await cleanDisk()
        let removed = 0
        const failures: unknown[] = []
        let failedInARow = 0
        let keys = await files.unused('', BATCH_SIZE)
        while (keys.length > 0) {
          for (const key of keys) {
            signal?.throwIfAborted()
            try {
              if (await remove(key)) removed += 1
              failedInARow = 0
            } catch (error) {
              failures.push(error)
              failedInARow += 1
              if (failedInARow === MAX_FAILURES) throw error
            }
          }
          keys = await files.unused(keys.at(-1) ?? '', BATCH_SIZE)
        }
        log.info({ removed, failed: failures.length }, 'cleaned up files')
        // The job is retried for the files that failed.
        if (failures.length > 0) throw failures[0]
      },
    },
  } satisfies Tasks
}
