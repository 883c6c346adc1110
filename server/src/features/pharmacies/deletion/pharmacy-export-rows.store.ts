import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../../database/database.ts'
import { type PharmacyTable, pharmacyTables } from './tables.store.ts'

/** Rows that are read at a time. */
const BATCH_SIZE = 500

export type ExportRow = Record<string, unknown>

/** A table of an export: its columns without those withheld, and its number of rows. */
export type ExportTable = { name: string; columns: string[]; rows: number }

/** A file of an export. `key`: in the store of the pictures of orders, or in the other one. */
export type ExportFile = { path: string; store: 'orders' | 'files'; key: string }

type Exported = PharmacyTable & { name: string; withheld: readonly string[] }

const exported = pharmacyTables.flatMap((table): Exported[] =>
  table.withheld === 'all' ? [] : [{ ...table, withheld: table.withheld }],
)

/** Reads all of a pharmacy as it is at one moment. */
export type Snapshot = {
  tables: ExportTable[]
  files: ExportFile[]
  /** The rows of a table, by its name, in batches. */
  read(name: string): AsyncGenerator<ExportRow[]>
}

/** Runs `work` with a snapshot: what is committed meanwhile is not in it. */
export function withSnapshot<T>(
  db: Database,
  pharmacyId: string,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) =>
      work({
        tables: await tablesOf(tx, pharmacyId),
        files: await filesOf(tx, pharmacyId),
        read: (name) => readTable(tx, pharmacyId, name),
      }),
    )
}

async function tablesOf(tx: Database, pharmacyId: string): Promise<ExportTable[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    where table_schema = 'public' order by table_name, ordinal_position`.execute(tx)
  const tables: ExportTable[] = []
  for (const { name, isOf, withheld } of exported) {
    const counted = await sql<{ rows: number }>`
      select count(*)::integer as rows from ${sql.table(name)} where ${isOf(pharmacyId)}`.execute(
      tx,
    )
    tables.push({
      name,
      columns: columns
        .filter(({ table, column }) => table === name && !withheld.includes(column))
        .map(({ column }) => column),
      rows: counted.rows[0]?.rows ?? 0,
    })
  }
  return tables
}

async function* readTable(
  tx: Database,
  pharmacyId: string,
  name: string,
): AsyncGenerator<ExportRow[]> {
  const table = exported.find((each) => each.name === name)
  if (!table) return
  const columns = sql`select to_jsonb(each) - ${table.withheld}::text[] as row
    from ${sql.table(name)} as each where ${table.isOf(pharmacyId)}`
  // A cursor, because a table can have more rows than fit into memory. It is closed with the transaction.
  const cursor = sql.ref(`export_${randomUUID()}`)
  await sql`declare ${cursor} no scroll cursor for ${columns}`.execute(tx)
  for (;;) {
    const { rows } = await sql<{ row: ExportRow }>`
      fetch ${sql.lit(BATCH_SIZE)} from ${cursor}`.execute(tx)
    if (rows.length === 0) return
    yield rows.map(({ row }) => row)
  }
}

/** Pictures that an outside service stores have their address in the table `images` alone. */
async function filesOf(tx: Database, pharmacyId: string): Promise<ExportFile[]> {
  const { rows } = await sql<ExportFile>`
    select distinct 'immagini-ordini/' || split_part(key, '/', 2) || '.'
        || split_part(content_type, '/', 2) as path,
      'orders' as store, key
    from (
      select pharmacy_id, key, content_type from order_images
      union all select pharmacy_id, key, content_type from order_attachments
    ) as attachment where pharmacy_id = ${pharmacyId} and key is not null
    union all
    select 'immagini/' || replace(public_id, '/', '_') || '.' || format, 'files', file_key
    from images where pharmacy_id = ${pharmacyId} and file_key is not null
    union all
    select 'file/' || id, 'files', file_key
    from storage_objects where folder = ${pharmacyId}::text
    order by path`.execute(tx)
  return rows
}
