import { isRefusedValue } from './errors.ts'

/**
 * Writes items together. A batch whose values PostgreSQL refuses is written in halves until the refused items are found,
 * so that one of them does not stop the others.
 *
 * @param write writes some of them, in a transaction of its own
 */
export async function writeInHalves<Item, Result>(
  items: readonly Item[],
  write: (some: readonly Item[]) => Promise<Result>,
): Promise<{ results: Result[]; refused: readonly Item[] }> {
  try {
    return { results: [await write(items)], refused: [] }
  } catch (error) {
    if (!isRefusedValue(error) || items.length === 0) throw error
    if (items.length === 1) return { results: [], refused: items }
  }
  const middle = Math.ceil(items.length / 2)
  const first = await writeInHalves(items.slice(0, middle), write)
  const second = await writeInHalves(items.slice(middle), write)
  return {
    results: [...first.results, ...second.results],
    refused: [...first.refused, ...second.refused],
  }
}
