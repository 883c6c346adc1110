import { setImmediate as endOfTurn } from 'node:timers/promises'

/**
 * Loads together what is asked for within one turn of the event loop: under load, requests that arrive together share
 * one statement. The load begins after the last caller has asked, so no value is older than its caller's question.
 *
 * @param load gets every key once; a key that its result lacks has no value
 * @param most keys of one load; more of them are loaded at the same time, so that the database works on some while this
 *   process works on others
 */
export function createBatch<V>(
  load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  most = Number.POSITIVE_INFINITY,
): (key: string) => Promise<V | undefined> {
  type Loads = ReadonlyMap<string, Promise<ReadonlyMap<string, V>>>
  let next: { keys: Set<string>; begun: Promise<Loads> } | undefined
  async function loadNext(keys: ReadonlySet<string>): Promise<Loads> {
    await endOfTurn()
    next = undefined
    const all = [...keys]
    const loads = new Map<string, Promise<ReadonlyMap<string, V>>>()
    while (all.length > 0) {
      const some = all.splice(0, most)
      const loading = load(some)
      for (const key of some) loads.set(key, loading)
    }
    return loads
  }
  return async (key) => {
    if (!next) {
      const keys = new Set<string>()
      next = { keys, begun: loadNext(keys) }
    }
    next.keys.add(key)
    const loads = await next.begun
    return (await loads.get(key))?.get(key)
  }
}
