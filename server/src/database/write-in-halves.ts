import { sql } from 'kysely'
import type { Database } from './database.ts'
import { isRefusedValue } from './errors.ts'

/** Does work in a savepoint of a transaction, so that the transaction goes on when the work fails. */
export async function inSavepoint(tx: Database, work: () => Promise<unknown>): Promise<void> {
  await sql`savepoint work`.execute(tx)
  try {
    await work()
  } catch (error) {
    await sql`rollback to savepoint work`.execute(tx)
    throw error
  }
  await sql`release savepoint work`.execute(tx)
}

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
