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
  let next: { keys: Set<string>; loaded: Promise<ReadonlyMap<string, V>> } | undefined
  async function loadNext(keys: ReadonlySet<string>) {
    await endOfTurn()
    if (next?.keys === keys) next = undefined
    return load([...keys])
  }
  return async (key) => {
    if (!next || (next.keys.size >= most && !next.keys.has(key))) {
      const keys = new Set<string>()
      next = { keys, loaded: loadNext(keys) }
    }
    next.keys.add(key)
    return (await next.loaded).get(key)
  }
}
