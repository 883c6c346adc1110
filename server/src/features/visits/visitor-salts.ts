import type { VisitorSaltsStore } from './visitor-salts.store.ts'

/** Cached no longer than this: the database has no salt of a past day. */
const CACHE_MS = 60 * 60_000

export type VisitorSalts = ReturnType<typeof createVisitorSalts>

/** Caches the salt of the last requested day for a limited time. */
export function createVisitorSalts(store: Pick<VisitorSaltsStore, 'of'>) {
  let cached: { day: string; salt: Promise<Buffer> } | undefined

  function load(day: string) {
    const entry = { day, salt: store.of(day) }
    cached = entry
    setTimeout(() => forget(entry), CACHE_MS).unref()
    return entry
  }

  function forget(entry: typeof cached) {
    if (cached === entry) cached = undefined
  }

  return {
    async of(day: string): Promise<Buffer> {
      const entry = cached?.day === day ? cached : load(day)
      try {
        return await entry.salt
      } catch (error) {
        // A failed reading is not cached.
        forget(entry)
        throw error
      }
    },
  }
}
