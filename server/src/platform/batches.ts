import { setImmediate as endOfTurn, setTimeout as pause } from 'node:timers/promises'
import { settledWithin } from '../base/settled-within.ts'

/**
 * Loads together what is asked for within one turn of the event loop: under load, requests that arrive together share
 * one statement. The load begins after the last caller has asked, so no value is older than its caller's question.
 *
 * @param load gets every key once; a key that its result lacks has no value
 * @param most keys of one load; more of them are loaded at the same time, so that the database works on some while this
 *   process works on others
 */
export function createBatchedLoad<V>(
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

type Batch<Item, Result> = {
  items: Item[]
  hasBegun: boolean
  result: Promise<Result>
  begin(): void
}

type Options<Item> = {
  /** Items with one id are done one after the other. */
  idOf?: (item: Item) => string
  /** The most items of a batch. */
  max?: number
  /** Milliseconds for which the first batch waits for further items. */
  waitMs?: number
  /** Milliseconds after which the next batch does not wait any longer for one that hangs. */
  patienceMs?: number
}

/**
 * Does one thing at a time for each key: what is requested meanwhile is done together, after it.
 *
 * @param work gets the items in the order in which they were requested; its result, or its failure, is that of all of
 *   them
 */
export function createKeyedBatches<Item = void, Result = void>(
  work: (key: string, items: readonly Item[]) => Promise<Result>,
  { idOf, max = Number.POSITIVE_INFINITY, waitMs = 0, patienceMs }: Options<Item> = {},
) {
  /** The batches of each key; the first one is under way, or waits for items. */
  const lanes = new Map<string, { batches: Batch<Item, Result>[]; ended: Promise<void> }>()

  function newBatch(key: string): Batch<Item, Result> {
    const items: Item[] = []
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    return { items, hasBegun: false, result: begun.then(() => work(key, items)), begin }
  }

  async function workThrough(key: string, batches: Batch<Item, Result>[]): Promise<void> {
    if (waitMs > 0) await pause(waitMs)
    for (let batch = batches[0]; batch; batch = batches[0]) {
      batch.hasBegun = true
      batch.begin()
      if (patienceMs === undefined) await batch.result.catch(() => {})
      else await settledWithin(batch.result, patienceMs)
      batches.shift()
    }
    lanes.delete(key)
  }

  function accepts({ items, hasBegun }: Batch<Item, Result>, item: Item): boolean {
    if (hasBegun || items.length >= max) return false
    return !idOf || !items.some((other) => idOf(other) === idOf(item))
  }

  return {
    add(key: string, item: Item): Promise<Result> {
      const batches = lanes.get(key)?.batches ?? []
      let batch = batches.find((each) => accepts(each, item))
      if (!batch) {
        batch = newBatch(key)
        batches.push(batch)
      }
      batch.items.push(item)
      if (!lanes.has(key)) {
        const lane = { batches, ended: Promise.resolve() }
        lanes.set(key, lane)
        lane.ended = workThrough(key, batches)
      }
      return batch.result
    },

    /** Resolves when all that was requested is done. */
    async idle(): Promise<void> {
      await Promise.all([...lanes.values()].map(({ ended }) => ended))
    },
  }
}
