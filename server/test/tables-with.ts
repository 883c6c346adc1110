import type pg from 'pg'

/** The names of the tables that have any of the texts in a row, in whatever case. */
export async function tablesWith(pool: pg.Pool, texts: readonly string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await pool.query(
      `select from ${name} as row where row::text ilike any ($1) limit 1`,
      [texts.map((text) => `%${text}%`)],
    )
    if (rowCount) found.push(name)
  }
  return found
}
