import PQueue from 'p-queue'
import type { Database } from '../database/database.ts'
import type { FileStore, StoredFiles } from '../ports/file-store.ts'
import { createStoredFilesStore } from './stored-files.store.ts'

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
