import pg from 'pg'
import type { BackupStore } from '../backups/backup-store.ts'
import { type CatalogueTable, columnList } from './catalogue.ts'
import type { TransferOptions } from './export.ts'
import { makeRoom, numbered, type Shifts } from './row-numbers.ts'
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
