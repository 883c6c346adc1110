import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type CatalogueTable, columnList } from './catalogue.ts'
import type { ChangeRows } from './table-copy.ts'

/** Rows of a table that are to be the same in two databases. */
export type SyncedTable = CatalogueTable & {
  /** An SQL condition. */
  where: string
  /** What a column is in the other database, as SQL. */
  valueOf(column: string): string
}

/** The most rows of one statement. */
const BATCH = 5_000

type CopyOptions = { change?: ChangeRows | undefined; signal?: AbortSignal | undefined }

/**
 * Copies the rows of a query into a table. When that fails, the connection of `source` is closed: PostgreSQL goes on
 * sending rows, and the connection waits for their end.
 *
 * @param into the table and its columns, as SQL
 */
export async function copyRows(
  source: pg.Client,
  query: string,
  target: pg.Client,
  into: string,
  { change, signal }: CopyOptions = {},
): Promise<void> {
  const rows = source.query(copyTo(`copy (${query}) to stdout`))
  const sink = target.query(copyFrom(`copy ${into} from stdin`))
  try {
    await pipeline(change ? change(rows) : rows, sink, ...(signal ? [{ signal }] : []))
  } catch (error) {
    void source.end().catch(() => {})
    throw error
  }
}

/**
 * Makes the rows of a table in `target` those of `source`: compares hashes of all of them, and copies those that differ.
 * Both are in a transaction with TEXT_SETTINGS; in `target` neither triggers nor foreign keys act.
 *
 * @returns the number of rows that differed
 */
export async function syncTable(
  source: pg.Client,
  target: pg.Client,
  table: SyncedTable,
  signal?: AbortSignal,
): Promise<number> {
  const { name, columns, key, where, valueOf } = table
  const plain = (column: string) => source.escapeIdentifier(column)
  const here = hashOf(key.map(valueOf))
  const there = hashOf(key.map(plain))
  const from = `from ${plain(name)} where (${where})`
  const [wanted, found] = await Promise.all([
    readHashes(source, `select ${here}, ${hashOf(columns.map(valueOf))} ${from}`),
    readHashes(target, `select ${there}, ${hashOf(columns.map(plain))} ${from}`),
  ])
  const added = [...wanted].flatMap(([id, row]) => (found.get(id) === row ? [] : [id]))
  const removed = [...found].flatMap(([id, row]) => (wanted.get(id) === row ? [] : [id]))
  // All of them first: two rows may have exchanged what is unique.
  for (const ids of batches(removed)) {
    await target.query(`delete ${from} and ${there} = any($1)`, [ids])
  }
  const query = `select ${columns.map(valueOf).join(', ')} ${from}`
  const into = `${plain(name)} (${columnList(target, columns)})`
  if (found.size === 0) {
    if (wanted.size > 0) await copyRows(source, query, target, into, { signal })
  } else {
    for (const ids of batches(added)) {
      // COPY takes no parameters.
      const some = `${query} and ${here} = any('{${ids.join()}}')`
      await copyRows(source, some, target, into, { signal })
    }
  }
  return new Set([...added, ...removed]).size
}

const hashOf = (values: readonly string[]) => `md5(row(${values.join(', ')})::text)`

/** The hash of each row by that of its key. Rows of a table without a key may be equal, and are counted by it. */
async function readHashes(client: pg.Client, query: string): Promise<Map<string, string>> {
  const { rows } = await client.query<[string, string]>({ text: query, rowMode: 'array' })
  const hashes = new Map<string, string>()
  for (const [id, row] of rows) hashes.set(id, (hashes.get(id) ?? '') + row)
  return hashes
}

function batches(ids: readonly string[]): string[][] {
  const count = Math.ceil(ids.length / BATCH)
  return Array.from({ length: count }, (_, n) => ids.slice(n * BATCH, (n + 1) * BATCH))
}
