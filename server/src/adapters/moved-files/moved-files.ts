import type { FileStore } from '../../ports/file-store.ts'

/**
 * Files on their way from one store to another: all that comes is kept in `to`, and what is not there is
 * still where it was.
 */
export function createMovedFiles(to: FileStore, from: Omit<FileStore, 'put'>): FileStore {
  return {
    put: to.put,
    async open(key, range) {
      return (await to.open(key, range)) ?? (await from.open(key, range))
    },
    async remove(key) {
      // In this order: what was replaced must not come back when the second fails.
      await from.remove(key)
      await to.remove(key)
    },
  }
}
