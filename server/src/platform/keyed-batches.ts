import { settledWithin } from '../base/settled-within.ts'

type Batch<Item, Result> = {
  items: Map<string, Item>
  result: Promise<Result>
  begin(): void
}

/** Milliseconds after which the next batch does not wait any longer for one that hangs. */
const PATIENCE_MS = 1_000

/**
 * Does one thing at a time for each key: what is requested meanwhile is done together, after it. For work that would
 * wait for a lock of that key anyway, and may also be done at the same time.
 *
 * @param work gets items with different ids, in the order in which they were requested; its result, or its failure, is
 *   that of all of them
 */
export function createKeyedBatches<Item, Result>(
  work: (key: string, items: readonly Item[]) => Promise<Result>,
  patienceMs = PATIENCE_MS,
): (key: string, id: string, item: Item) => Promise<Result> {
  /** The batches of each key; the first one is under way. */
  const lanes = new Map<string, Batch<Item, Result>[]>()

  function newBatch(key: string): Batch<Item, Result> {
    const items = new Map<string, Item>()
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const result = begun.then(() => work(key, [...items.values()]))
    return { items, result, begin }
  }

  async function workThrough(key: string, lane: Batch<Item, Result>[]): Promise<void> {
    for (let batch = lane[0]; batch; batch = lane[0]) {
      batch.begin()
      await settledWithin(batch.result, patienceMs)
      lane.shift()
    }
    lanes.delete(key)
  }

  return (key, id, item) => {
    const lane = lanes.get(key) ?? []
    // Two items with one id are done one after the other.
    let batch = lane.find(({ items }, index) => index > 0 && !items.has(id))
    if (!batch) {
      batch = newBatch(key)
      lane.push(batch)
    }
    batch.items.set(id, item)
    if (!lanes.has(key)) {
      lanes.set(key, lane)
      void workThrough(key, lane)
    }
    return batch.result
  }
}
