import pg from 'pg'
import type { BackupStore } from '../backups/backup-store.ts'
import { type CatalogueTable, columnList } from './catalogue.ts'
import type { TransferOptions } from './export.ts'
import { type ChangeRows, copyIn, TEXT_SETTINGS } from './table-copy.ts'
import { type TransferManifest, tableName } from './transfer-manifest.ts'

/** By how much the numbers of a table's rows are increased in the other database. */
export type Shifts = ReadonlyMap<string, string>

/** The column of all tables that refer to the number of an order. */
const ORDER_COLUMN = 'order_id'

/** A column of a row that is carried, with its number in the other database, as SQL. */
function numbered(
  { name, identity }: Pick<CatalogueTable, 'name' | 'identity'>,
  column: string,
  shifts: Shifts,
): string {
  const plain = pg.escapeIdentifier(column)
  const orders = shifts.get('pharmacy_orders')
  if (column === identity) return `${plain} + ${shifts.get(name) ?? '0'}`
  return column === ORDER_COLUMN && orders !== undefined ? `${plain} + ${orders}` : plain
}

/**
 * Makes room for numbers from `first` to `last`: where they are taken they are to be increased.
 *
 * @returns by how much
 */
async function makeRoom(
  client: pg.Client,
  { name, identity }: { name: string; identity: string },
  { first, last }: { first: string; last: string },
): Promise<string> {
  const { rows: sequences } = await client.query<{ sequence: string }>(
    'select pg_get_serial_sequence($1, $2) as sequence',
    [name, identity],
  )
  const sequence = sequences[0]?.sequence ?? ''
  const { rows: taken } = await client.query<{ last: string }>(
    `select case when is_called then last_value else 0 end::text as last from ${sequence}`,
  )
  const used = BigInt(taken[0]?.last ?? 0)
  const shift = BigInt(first) > used ? 0n : used - BigInt(first) + 1n
  await client.query('select setval($1, $2)', [sequence, (BigInt(last) + shift).toString()])
  return shift.toString()
}

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

export type Insertion = {
  /** SQL expressions for columns that get another value than the one staged. */
  values: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** Conditions for the staged rows that are inserted; all of them without one. */
  where: Readonly<Record<string, string>>
}

/** Makes room for the numbers of staged rows. Within a transaction that has locked the tables against writers. */
export async function makeRoomForStaged(
  client: pg.Client,
  tables: readonly CatalogueTable[],
): Promise<Shifts> {
  const shifts = new Map<string, string>()
  for (const { name, identity } of tables) {
    if (identity === null) continue
    const column = pg.escapeIdentifier(identity)
    const { rows } = await client.query<{ first: string | null; last: string }>(
      `select min(${column})::text as first, max(${column})::text as last from ${staged(name)}`,
    )
    const [{ first, last } = { first: null, last: '' }] = rows
    if (first === null) continue
    shifts.set(name, await makeRoom(client, { name, identity }, { first, last }))
  }
  return shifts
}

/** Inserts the staged rows, with the numbers for which there is room. */
export async function insertStaged(
  client: pg.Client,
  tables: readonly CatalogueTable[],
  shifts: Shifts,
  { values, where }: Insertion,
): Promise<void> {
  for (const table of tables) {
    const { name, columns } = table
    const valueOf = (column: string) => values[name]?.[column] ?? numbered(table, column, shifts)
    await client.query(
      `insert into ${client.escapeIdentifier(name)} (${columnList(client, columns)})
       overriding system value
       select ${columns.map(valueOf).join(', ')} from ${staged(name)} where ${where[name] ?? 'true'}`,
    )
  }
}
