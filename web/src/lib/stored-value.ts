import { browserStorage } from './browser-storage.ts'

/** A text in the storage of the browser, shared by all its tabs. For `useSyncExternalStore`. */
export function createStoredValue(key: string) {
  const listeners = new Set<() => void>()
  return {
    get: () => browserStorage.getItem(key),
    /** @param value null removes it */
    set(value: string | null) {
      if (value === null) browserStorage.removeItem(key)
      else browserStorage.setItem(key, value)
      for (const listener of listeners) listener()
    },
    /** Reports changes in this and other tabs. */
    subscribe(listener: () => void): () => void {
      // Without a key, the whole storage was cleared.
      const onStorage = (event: StorageEvent) => {
        if (event.key === key || event.key === null) listener()
      }
      listeners.add(listener)
      window.addEventListener('storage', onStorage)
      return () => {
        listeners.delete(listener)
        window.removeEventListener('storage', onStorage)
      }
    },
  }
}
