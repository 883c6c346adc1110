import pg from 'pg'

/** Rows of each table that are counted. */
export type RowCounts = Record<string, number>

/** A connection of the account that owns the database, for the time of `work`. */
export async function withOwner<T>(url: string, work: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

export async function databaseFacts(client: pg.Client) {
  const { rows } = await client.query<{ system: string; major: number; name: string }>(
    `select (select system_identifier::text from pg_control_system()) as system,
       current_setting('server_version_num')::int / 10000 as major, current_database() as name`,
  )
  const [facts] = rows
  if (!facts) throw new Error('facts are one row')
  return facts
}

export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    'select name from schema_migrations order by name',
  )
  return rows.map(({ name }) => name)
}

export async function countRows(client: pg.Client, tables: readonly string[]): Promise<RowCounts> {
  const counts: RowCounts = {}
  for (const table of tables) {
    const { rows } = await client.query<{ rows: number }>(
      `select count(*)::int as rows from ${client.escapeIdentifier(table)}`,
    )
    counts[table] = rows[0]?.rows ?? 0
  }
  return counts
}

/**
 * The stored files that rows refer to: the names of the two stores, and the keys in them.
 *
 * @param where an SQL condition for the rows of each store; all of them without it
 */
export async function* storedFileKeys(
  client: pg.Client,
  where: { images?: string | undefined; files?: string | undefined } = {},
): AsyncGenerator<{ folder: 'images' | 'files'; key: string }> {
  for (const [folder, table] of [
    ['images', 'order_image_files'],
    ['files', 'stored_files'],
  ] as const) {
    let after = ''
    for (;;) {
      const { rows } = await client.query<{ key: string }>(
        `select key from ${table} where key > $1 and (${where[folder] ?? 'true'}) order by key limit 1000`,
        [after],
      )
      for (const { key } of rows) yield { folder, key }
      const last = rows.at(-1)
      if (!last) break
      after = last.key
    }
  }
}
