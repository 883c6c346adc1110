import PQueue from 'p-queue'
import type { Database } from '../database/database.ts'
import type { FileStore, KeptFiles } from '../ports/file-store.ts'
import { createKeptFilesStore } from './kept-files.store.ts'

/**
 * Removals at once. Each holds a connection to the database for as long as the store takes: were there one for
 * everybody who removes something, a store that hangs would be the end of all other work.
 */
const REMOVED_AT_ONCE = 3

/** Files of that store, none of which is forgotten. See the port. */
export function createKeptFiles(db: Database, store: FileStore): KeptFiles {
  const rows = createKeptFilesStore(db)
  const removals = new PQueue({ concurrency: REMOVED_AT_ONCE })
  return {
    async put(key, source, contentType, drawnFrom) {
      await rows.note(key, drawnFrom ?? null)
      await store.put(key, source, contentType)
      // It may have been removed meanwhile, with what it was drawn from: then the job removes it.
      await rows.noteAgain(key)
    },
    open: store.open,
    remove: (key) => removals.add(() => rows.remove(key, store.remove)),
  }
}
