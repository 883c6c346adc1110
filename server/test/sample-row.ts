import type pg from 'pg'

type Column = { name: string; type: string; referred: string | null; referredColumn: string | null }

/** The columns that an insert must name, with the column of a foreign key that each refers to. */
const COLUMNS = `
  select attname as name, format_type(atttypid, null) as type, confrelid::regclass::text as referred,
    (select attname from pg_attribute
     where attrelid = confrelid and attnum = confkey[array_position(conkey, column_of.attnum)]) as "referredColumn"
  from pg_attribute as column_of
  left join lateral (
    select confrelid, conkey, confkey from pg_constraint
    where contype = 'f' and conrelid = column_of.attrelid and column_of.attnum = any (conkey)
    order by cardinality(conkey) desc limit 1
  ) as key on true
  where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
    and (attnotnull and not atthasdef)`

const values: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  date: 'current_date',
  'timestamp with time zone': 'now()',
  boolean: 'true',
  integer: '1',
  smallint: '1',
  bigint: '1',
  numeric: '1',
  jsonb: `'{}'`,
}

/**
 * Adds a row of a pharmacy to a table, with a value of its type in each column that has no default, and rows of the
 * pharmacy where it refers to others.
 *
 * @throws Error where a check of the table allows no such row
 */
export async function addSampleRow(
  pool: pg.Pool,
  table: string,
  pharmacyId: string,
): Promise<void> {
  const { rows: columns } = await pool.query<Column>(COLUMNS, [table])
  const valueOf = ({ name, type, referred, referredColumn }: Column) => {
    if (name === 'pharmacy_id') return '$1'
    if (referred)
      return `(select ${referredColumn} from ${referred} where pharmacy_id = $1 order by 1 limit 1)`
    return values[type] ?? (type.endsWith('[]') ? `'{}'` : `'sample'`)
  }
  const names = columns.map(({ name }) => name).join(', ')
  const row = columns.map(valueOf).join(', ')
  try {
    await pool.query(`insert into ${table} (${names}) values (${row})`, [pharmacyId])
  } catch (cause) {
    throw new Error(`${table} has no row in test/deletion-rows.ts`, { cause })
  }
}
