import pg from 'pg'
import type { BackupStore } from '../backups/backup-store.ts'
import { columnList } from './catalogue.ts'
import type { TransferOptions } from './export.ts'
import { type ChangeRows, copyIn, TEXT_SETTINGS } from './table-copy.ts'
import { type TransferManifest, tableName } from './transfer-manifest.ts'

/** The name of the temporary table with the rows that are to be imported into a table, as SQL. */
export const staged = (table: string) => `pg_temp.${pg.escapeIdentifier(`staged_${table}`)}`

/**
 * Reads the rows of an export into temporary tables of the connection, so that nothing waits for it.
 *
 * @throws BackupError `damaged`
 */
export async function stageRows(
  client: pg.Client,
  store: BackupStore,
  { tables }: TransferManifest,
  changeOf: (table: string, columns: readonly string[]) => ChangeRows | undefined,
  { signal, onProgress }: TransferOptions,
): Promise<void> {
  await client.query(`begin; ${TEXT_SETTINGS}`)
  for (const [done, { name, columns, ...content }] of tables.entries()) {
    onProgress?.({ step: 'tables', name, done, total: tables.length })
    await client.query(
      `create temporary table ${staged(name)} (like ${client.escapeIdentifier(name)} including generated)`,
    )
    const change = changeOf(name, columns)
    const into = `${staged(name)} (${columnList(client, columns)})`
    await copyIn(client, store, tableName(name), content, into, { change, signal })
  }
  await client.query('commit')
}

type Insertion = {
  /** SQL expressions for columns that get another value than the one staged. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Conditions for the staged rows that are inserted; all of them without one. */
  where: Readonly<Record<string, string>>
}

/**
 * Inserts the staged rows. Numbers of rows that are taken here, or may be soon, are moved up by the same amount, with the
 * columns that refer to them.
 *
 * Within a transaction that has locked the tables against writers.
 */
export async function insertStaged(
  client: pg.Client,
  { tables }: TransferManifest,
  identities: ReadonlyMap<string, string>,
  { values, where }: Insertion,
): Promise<void> {
  const shifts = new Map<string, string>()
  for (const { name } of tables) {
    const column = identities.get(name)
    if (column !== undefined) shifts.set(name, await makeRoom(client, name, column))
  }
  const orders = shifts.get('pharmacy_orders')
  for (const { name, columns } of tables) {
    const valueOf = (column: string) => {
      const plain = client.escapeIdentifier(column)
      if (column === identities.get(name)) return `${plain} + ${shifts.get(name) ?? '0'}`
      if (column === ORDER_COLUMN && orders !== undefined) return `${plain} + ${orders}`
      return values[name]?.[column] ?? plain
    }
    await client.query(
      `insert into ${client.escapeIdentifier(name)} (${columnList(client, columns)})
       overriding system value
       select ${columns.map(valueOf).join(', ')} from ${staged(name)} where ${where[name] ?? 'true'}`,
    )
  }
}

/** The column of all tables that refer to the number of an order. */
const ORDER_COLUMN = 'order_id'

/** @returns by how much the numbers of the staged rows are increased */
async function makeRoom(client: pg.Client, table: string, column: string): Promise<string> {
  const { rows } = await client.query<{ first: string | null; last: string; sequence: string }>(
    `select min(${pg.escapeIdentifier(column)})::text as first, coalesce(max(${pg.escapeIdentifier(column)}), 0)::text as last,
       pg_get_serial_sequence($1, $2) as sequence from ${staged(table)}`,
    [table, column],
  )
  const [found] = rows
  if (!found || found.first === null) return '0'
  const { rows: taken } = await client.query<{ last: string }>(
    `select case when is_called then last_value else 0 end::text as last from ${found.sequence}`,
  )
  const last = BigInt(taken[0]?.last ?? 0)
  const shift = BigInt(found.first) > last ? 0n : last - BigInt(found.first) + 1n
  await client.query('select setval($1, $2)', [
    found.sequence,
    (BigInt(found.last) + shift).toString(),
  ])
  return shift.toString()
}
