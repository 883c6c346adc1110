import { LRUCache } from 'lru-cache'

/** Whether a loaded value with these tags may be cached. Without tags, any invalidation counts. */
export type IsValid = (tags?: readonly string[]) => boolean

/** A running load. `invalidated`: the tags that were invalidated since it began; undefined means all. */
type Flight<V> = {
  version: unknown
  invalidated: Set<string | undefined>
  done: Promise<V>
}

/** Runs loads so that concurrent callers of a key share one, with its result or error. */
export function createSingleFlight<V>() {
  /** Those that further callers may join, by key. */
  const joinable = new Map<string, Flight<V>>()
  const running = new Set<Flight<V>>()
  return {
    /** Joins the load of the key that has this version and began after the last invalidation, or begins one. */
    run(key: string, load: (isValid: IsValid) => Promise<V>, version?: unknown): Promise<V> {
      const joined = joinable.get(key)
      if (joined && joined.version === version) return joined.done
      const invalidated: Flight<V>['invalidated'] = new Set()
      const isValid = (tags?: readonly string[]) =>
        tags ? ![undefined, ...tags].some((tag) => invalidated.has(tag)) : invalidated.size === 0
      const done = load(isValid).finally(() => {
        running.delete(flight)
        if (joinable.get(key) === flight) joinable.delete(key)
      })
      const flight = { version, invalidated, done }
      joinable.set(key, flight)
      running.add(flight)
      return done
    },

    /** @param tag undefined for all */
    invalidate(tag?: string): void {
      for (const { invalidated } of running) invalidated.add(tag)
      joinable.clear()
    },
  }
}

type Options<V> = {
  /** Maximum number of entries, or of their sizes together if `sizeOf` is given. */
  max: number
  /** The size of a value; values of size 0 are not cached. */
  sizeOf?: (value: V) => number
  /** Milliseconds for which an entry is valid; 0, or without it, until it is invalidated or evicted. */
  ttlMs?: number | ((value: V) => number)
  /** What an entry can be invalidated by; without it, every invalidation removes all entries. */
  tagsOf?: (value: V, key: string) => readonly string[]
}

/**
 * A cache in memory, least recently used first out: `cache.get(key) ?? (await cache.load(key, () => …))`. An entry that
 * was stored with a version is valid for that version only. Undefined is not cached, nor is a value that was invalidated
 * while it was loaded: those who wait for it get it, later callers load again.
 */
export function createCache<V>({ max, sizeOf, ttlMs = 0, tagsOf }: Options<V>) {
  const entries = new LRUCache<string, { value: V; version: unknown }>(
    sizeOf ? { maxSize: max, sizeCalculation: ({ value }) => sizeOf(value) } : { max },
  )
  const loads = createSingleFlight<V>()
  function set(key: string, value: V, version?: unknown): void {
    if (sizeOf?.(value) === 0) return
    const ttl = typeof ttlMs === 'number' ? ttlMs : ttlMs(value)
    entries.set(key, { value, version }, { ttl })
  }

  return {
    set,

    /** The cached value, if it is valid. */
    get(key: string, version?: unknown): V | undefined {
      const entry = entries.get(key)
      return entry?.version === version ? entry?.value : undefined
    },

    /** Loads and caches the value, cached or not; concurrent callers share one load. */
    load(key: string, load: () => Promise<V>, version?: unknown): Promise<V> {
      const loadAndCache = async (isValid: IsValid) => {
        const value = await load()
        if (value !== undefined && isValid(tagsOf?.(value, key))) set(key, value, version)
        return value
      }
      return loads.run(key, loadAndCache, version)
    },

    *values(): Generator<V> {
      for (const { value } of entries.values()) yield value
    },

    /** Removes the entries with the tag. @param tag undefined for all entries */
    invalidate(tag?: string): void {
      loads.invalidate(tag)
      for (const [key, { value }] of entries.entries()) {
        if (tag === undefined || !tagsOf || tagsOf(value, key).includes(tag)) entries.delete(key)
      }
    },
  }
}
