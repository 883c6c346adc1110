import type pg from 'pg'

/** A table of the schema `public`, as the catalogue describes it. */
export type CatalogueTable = {
  name: string
  /** Those that are stored, and not computed by PostgreSQL. */
  columns: string[]
  /** The columns of the primary key, in its order; all columns where there is none. */
  key: string[]
  /** The column `generated always as identity`. */
  identity: string | null
}

/** The tables, partitions not among them, each after those that it refers to. */
export async function readCatalogue(client: pg.Client): Promise<CatalogueTable[]> {
  const { rows: tables } = await client.query<CatalogueTable & { refers: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        order by a.attnum) as columns,
      coalesce(
        (select array_agg(a.attname::text order by k.n) from pg_index i
          cross join lateral unnest(i.indkey) with ordinality k (attnum, n)
          join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
          where i.indrelid = c.oid and i.indisprimary),
        array(select a.attname::text from pg_attribute a
          where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
          order by a.attnum)
      ) as key,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '') as identity,
      array(select distinct p.relname::text from pg_constraint f join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as refers
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`)
  const ordered: CatalogueTable[] = []
  let waiting = tables
  while (waiting.length > 0) {
    const isReady = (table: (typeof tables)[number]) =>
      table.refers.every((name) => !waiting.some((each) => each.name === name))
    const ready = waiting.filter(isReady)
    if (ready.length === 0) throw new Error('tables that refer to each other in a circle')
    ordered.push(...ready.map(({ refers: _, ...table }) => table))
    waiting = waiting.filter((table) => !isReady(table))
  }
  return ordered
}

/** The last values of the sequences of the schema `public` that were used. */
export async function readSequences(client: pg.Client): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; last: string }>(
    `select sequencename::text as name, last_value::text as last from pg_sequences
     where schemaname = 'public' and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** The first and the last day of the partitions of page views; empty before there were any. */
export async function readPartitions(client: pg.Client) {
  const { rows } = await client.query<{ parent: string; first: string; last: string }>(
    `select left(relname, -9) as parent, min(right(relname, 8)) as first, max(right(relname, 8)) as last
     from pg_class where relnamespace = to_regnamespace('page_views') and relkind = 'r' and relispartition
     group by 1 order by 1`,
  )
  return Object.fromEntries(rows.map(({ parent, first, last }) => [parent, { first, last }]))
}

/** Creates the partitions of page views that are missing. */
export async function createPartitions(
  client: pg.Client,
  partitions: Record<string, { first: string; last: string }>,
): Promise<void> {
  const { visitors, ...views } = partitions
  const ranges = Object.values(views)
  const first = ranges.map((range) => range.first).sort()[0]
  const last = ranges
    .map((range) => range.last)
    .sort()
    .at(-1)
  if (first === undefined || last === undefined) return
  await client.query('select create_page_view_partitions($1, $2, $3)', [
    first,
    last,
    visitors?.first ?? last,
  ])
}

/**
 * Switches the triggers of tables off or on; foreign keys are checked all the same. Within a transaction, which locks
 * the tables against writers until its end.
 */
export async function switchTriggers(
  client: pg.Client,
  tables: readonly string[],
  state: 'enable' | 'disable',
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace and c.relname = any($1) order by 1`,
    [tables],
  )
  // In one call, because others wait meanwhile.
  const statements = rows.map(
    ({ name }) => `alter table ${client.escapeIdentifier(name)} ${state} trigger user`,
  )
  await client.query(statements.join(';'))
}

/** Columns as SQL. */
export const columnList = (client: pg.Client, columns: readonly string[]) =>
  columns.map((column) => client.escapeIdentifier(column)).join(', ')
