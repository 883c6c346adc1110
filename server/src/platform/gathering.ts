type Batch<Item, Result> = {
  items: Map<string, Item>
  result: Promise<Result>
  begin(): void
}

/**
 * Does one thing at a time for each key: what is requested meanwhile is done together, after it. For work that would
 * wait for a lock of that key anyway.
 *
 * @param work gets items with different ids, in the order in which they were requested; its result, or its failure, is
 *   that of all of them
 */
export function createGathering<Item, Result>(
  work: (key: string, items: readonly Item[]) => Promise<Result>,
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
      // The failure is that of those who wait for the result.
      await batch.result.catch(() => {})
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
