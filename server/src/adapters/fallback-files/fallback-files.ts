import type { FileStore } from '../../ports/file-store.ts'

/**
 * A file store for a migration: new files are stored in `primary`, and files that it does not have are read from
 * `fallback`.
 */
export function createFilesWithFallback(
  primary: FileStore,
  fallback: Omit<FileStore, 'put'>,
): FileStore {
  return {
    put: primary.put,
    async open(key, range) {
      return (await primary.open(key, range)) ?? (await fallback.open(key, range))
    },
    async remove(key) {
      // In this order: if the second removal fails, an older version must not reappear.
      await fallback.remove(key)
      await primary.remove(key)
    },
  }
}
