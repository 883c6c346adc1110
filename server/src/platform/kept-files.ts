import type { Database } from '../database/database.ts'
import type { FileStore, KeptFiles } from '../ports/file-store.ts'
import { createKeptFilesStore } from './kept-files.store.ts'

/** Files of that store, none of which is forgotten. See the port. */
export function createKeptFiles(db: Database, store: FileStore): KeptFiles {
  const rows = createKeptFilesStore(db)
  return {
    async put(key, source, contentType, drawnFrom) {
      await rows.note(key, drawnFrom ?? null)
      await store.put(key, source, contentType)
      // It may have been removed meanwhile, with what it was drawn from: then the job removes it.
      await rows.noteAgain(key)
    },
    open: store.open,
    remove: (key) => rows.remove(key, store.remove),
  }
}
