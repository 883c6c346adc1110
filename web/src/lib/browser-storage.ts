/** A place for texts under keys, which never throws. */
export type TextStorage = {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
  clear(): void
}

/** @param find reaches the browser's storage; throws where that is blocked */
function withStandIn(find: () => Storage): TextStorage {
  const memory = new Map<string, string>()

  function attempt<T>(work: (storage: Storage) => T): T | null {
    try {
      return work(find())
    } catch {
      return null
    }
  }

  return {
    getItem: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key)),
    setItem(key, value) {
      const kept = attempt((storage) => {
        storage.setItem(key, value)
        return true
      })
      if (kept) memory.delete(key)
      else {
        // A full storage would go on showing the former value to the next page.
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
 * What this browser keeps for us. Where it is blocked or full the memory of this page stands in: one can
 * work, and is asked to sign in again after a reload.
 */
export const browserStorage = withStandIn(() => window.localStorage)

/** The same for what only this tab keeps. */
export const tabStorage = withStandIn(() => window.sessionStorage)
