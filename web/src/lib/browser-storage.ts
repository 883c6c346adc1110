/** Key-value storage of texts that never throws. */
export type SafeStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  clear(): void
}

/** @param getStorage returns the browser's storage; throws where storage is blocked */
function withMemoryFallback(getStorage: () => Storage): SafeStorage {
  const memory = new Map<string, string>()

  function attempt<T>(work: (storage: Storage) => T): T | null {
    try {
      return work(getStorage())
    } catch {
      return null
    }
  }

  return {
    getItem: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)),
    setItem(key, value) {
      const isStored = attempt((storage) => {
        storage.setItem(key, value)
        return true
      })
      if (isStored) memory.delete(key)
      else {
        // When the storage is full the old value would remain and be read by the next page.
        attempt((storage) => storage.removeItem(key))
        memory.set(key, value)
      }
    },
    removeItem(key) {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key))
    },
    clear() {
      memory.clear()
      attempt((storage) => storage.clear())
    },
  }
}

/**
 * The browser's local storage. Where it is blocked or full, the memory of the page is used: the application works,
 * but asks to sign in again after a reload.
 */
export const browserStorage = withMemoryFallback(() => window.localStorage)

/** The same for session storage, which belongs to one tab. */
export const tabStorage = withMemoryFallback(() => window.sessionStorage)
