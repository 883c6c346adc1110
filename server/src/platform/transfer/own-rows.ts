import type pg from 'pg'
import { StartupError } from '../../base/startup-error.ts'
import { type CatalogueTable, readCatalogue } from './catalogue.ts'
import type { ExportedTable } from './export.ts'
import { staged } from './staged-rows.ts'
import type { TransferManifest } from './transfer-manifest.ts'

/** A row of a copy. Null is null; bytes are those of `bytea`. */
export type CopiedRow = {
  text(column: string): string | null
  bytes(column: string): Buffer | null
  set(column: string, value: string | Buffer | null): void
}

/**
 * Changes rows in the text format of COPY: a line a row, tabs between the values, `\N` for null.
 *
 * `text` and `set` are for values without a tab, a backslash or a line break, such as ids; other values are not changed.
 */
export async function* changeRows(
  source: AsyncIterable<Buffer>,
  columns: readonly string[],
  change: (row: CopiedRow) => void,
): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of source) {
    const content = Buffer.concat([rest, chunk])
    const end = content.lastIndexOf('\n') + 1
    rest = content.subarray(end)
    if (end === 0) continue
    // Latin-1 keeps every byte as it is.
    const lines = content.toString('latin1', 0, end - 1).split('\n')
    const changed = lines.map((line) => `${changeLine(line, columns, change)}\n`)
    yield Buffer.from(changed.join(''), 'latin1')
  }
  if (rest.length > 0) throw new Error('a copy ends within a row')
}

function changeLine(
  line: string,
  columns: readonly string[],
  change: (row: CopiedRow) => void,
): string {
  const values = line.split('\t')
  const indexOf = (column: string) => {
    const index = columns.indexOf(column)
    if (index < 0) throw new Error(`a copy without the column ${column}`)
    return index
  }
  const text = (column: string) => {
    const value = values[indexOf(column)] ?? '\\N'
    return value === '\\N' ? null : value
  }
  change({
    text,
    bytes(column) {
      // The backslash of \x is doubled.
      const value = text(column)
      return value === null ? null : Buffer.from(value.slice(3), 'hex')
    },
    set(column, value) {
      const index = indexOf(column)
      if (value === null) values[index] = '\\N'
      else values[index] = typeof value === 'string' ? value : `\\\\x${value.toString('hex')}`
    },
  })
  return values.join('\t')
}

type Tables = Pick<TransferManifest, 'tables'>

/** The names in an export become SQL. @throws StartupError when it has a table or a column that is not among `known` */
export function requireKnownTables({ tables }: Tables, known: readonly CatalogueTable[]): void {
  for (const { name, columns } of tables) {
    const table = known.find((each) => each.name === name)
    if (!table) throw new StartupError(`The export has the table ${name}, which is not imported.`)
    const unknown = columns.find((column) => !table.columns.includes(column))
    if (unknown === undefined) continue
    throw new StartupError(`The export has the column ${unknown} of ${name}, which is not here.`)
  }
}

/** An export of a pharmacy may come from another operator. @throws StartupError unless it has these tables, with all columns */
export async function requireTablesOfPharmacy(
  client: pg.Client,
  manifest: Tables,
  carried: readonly ExportedTable[],
): Promise<void> {
  const known = (await readCatalogue(client)).filter(({ name }) =>
    carried.some((table) => table.name === name),
  )
  requireKnownTables(manifest, known)
  for (const { name, columns } of known) {
    const table = manifest.tables.find((each) => each.name === name)
    if (table?.columns.length === columns.length) continue
    throw new StartupError(`The export does not have all columns of the table ${name}.`)
  }
}

/**
 * Checks the staged rows by the conditions of the export, and that they refer to each other alone: an import is not to
 * bring rows of a pharmacy that is here.
 *
 * @throws StartupError
 */
export async function requireOwnRows(
  client: pg.Client,
  carried: readonly ExportedTable[],
): Promise<void> {
  // Memory for lists of all orders.
  await client.query(
    "begin; set local search_path = pg_temp, public; set local work_mem = '256MB'; set local statement_timeout = 0",
  )
  try {
    // The conditions name tables: they find the staged rows under these names.
    const views = carried.map(
      ({ name }) =>
        `create temporary view ${client.escapeIdentifier(name)} as table ${staged(name)}`,
    )
    await client.query(views.join(';'))
    for (const { name, where = 'true', values = {} } of carried) {
      const others = Object.entries(values).map(
        ([column, value]) => `or ${client.escapeIdentifier(column)} is distinct from (${value})`,
      )
      const query = `from ${client.escapeIdentifier(name)} where (${where}) is not true ${others.join(' ')}`
      await requireNone(client, name, query)
    }
    for (const reference of await readReferences(client, carried)) {
      const { from, to, columns, keys } = reference
      const pairs = columns.map((column, at) => {
        const key = client.escapeIdentifier(keys[at] ?? '')
        return [`referring.${client.escapeIdentifier(column)}`, `referred.${key}`] as const
      })
      const equal = pairs.map((pair) => pair.join(' = ')).join(' and ')
      const given = pairs.map(([column]) => `${column} is not null`).join(' and ')
      const query = `from ${staged(from)} referring
        where ${given} and not exists (select from ${staged(to)} referred where ${equal})`
      await requireNone(client, from, query)
    }
  } finally {
    await client.query('rollback')
  }
}

async function requireNone(client: pg.Client, table: string, query: string): Promise<void> {
  const { rows } = await client.query<{ found: boolean }>(
    `select exists (select ${query}) as found`,
  )
  if (!rows[0]?.found) return
  throw new StartupError(`The export has rows of another pharmacy, in ${table}.`)
}

/** The foreign keys between these tables. */
async function readReferences(client: pg.Client, tables: readonly ExportedTable[]) {
  const columnsOf = (table: string, numbers: string) => `array(
    select a.attname::text from unnest(${numbers}) with ordinality k (attnum, n)
    join pg_attribute a on a.attrelid = ${table} and a.attnum = k.attnum order by k.n)`
  const { rows } = await client.query<{
    from: string
    to: string
    columns: string[]
    keys: string[]
  }>(
    `select f.relname as from, t.relname as to,
       ${columnsOf('c.conrelid', 'c.conkey')} as columns, ${columnsOf('c.confrelid', 'c.confkey')} as keys
     from pg_constraint c join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
     where c.contype = 'f' and c.conparentid = 0 and f.relname = any($1) and t.relname = any($1)
       and f.relnamespace = 'public'::regnamespace and t.relnamespace = 'public'::regnamespace
     order by c.conname`,
    [tables.map(({ name }) => name)],
  )
  return rows
}
