import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import type { CatalogueTable } from './catalogue.ts'

/** Numbers that other pharmacies, and this one until it is closed, may take meanwhile. */
const SPARE_NUMBERS = 100_000n

/** By how much the numbers of a table's rows are increased in the other database. */
export type Shifts = ReadonlyMap<string, string>

/** The column of all tables that refer to the number of an order. */
const ORDER_COLUMN = 'order_id'

/** A column of a row that is carried, with its number in the other database, as SQL. */
export function numbered(
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
 * Makes room for numbers from `first` to `last`: where they are taken, or may be soon, they are to be increased.
 *
 * @param spare numbers that writers may take meanwhile; 0 where the table is locked against them
 * @returns by how much
 */
export async function makeRoom(
  client: pg.Client,
  { name, identity }: { name: string; identity: string },
  { first, last }: { first: string; last: string },
  spare: bigint,
): Promise<string> {
  const { rows: sequences } = await client.query<{ sequence: string }>(
    'select pg_get_serial_sequence($1, $2) as sequence',
    [name, identity],
  )
  const sequence = sequences[0]?.sequence ?? ''
  const { rows: taken } = await client.query<{ last: string }>(
    `select case when is_called then last_value else 0 end::text as last from ${sequence}`,
  )
  const used = BigInt(taken[0]?.last ?? 0) + spare
  const shift = BigInt(first) > used ? 0n : used - BigInt(first) + 1n
  await client.query('select setval($1, $2)', [sequence, (BigInt(last) + shift + spare).toString()])
  return shift.toString()
}

/** Makes room for the numbers that the pharmacy has, and those that it gets until it is closed. */
export async function reserveNumbers(
  source: pg.Client,
  target: pg.Client,
  tables: readonly (CatalogueTable & { where: string })[],
): Promise<Shifts> {
  const shifts = new Map<string, string>()
  for (const { name, identity, where } of tables) {
    if (identity === null) continue
    const { rows } = await source.query<{ first: string | null; last: string | null }>(
      `select (select min(${source.escapeIdentifier(identity)}) from ${name} where ${where})::text as first,
         pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass)::text as last`,
      [name, identity],
    )
    const last = rows[0]?.last ?? '0'
    const first = rows[0]?.first ?? (BigInt(last) + 1n).toString()
    const shift = await makeRoom(target, { name, identity }, { first, last }, SPARE_NUMBERS)
    shifts.set(name, shift)
  }
  return shifts
}

/** @throws StartupError when the moved rows have more numbers than there was room for: others would get them again */
export async function requireRoom(
  target: pg.Client,
  tables: readonly (CatalogueTable & { where: string })[],
): Promise<void> {
  for (const { name, identity, where } of tables) {
    if (identity === null) continue
    const { rows } = await target.query<{ fits: boolean }>(
      `select coalesce(max(${target.escapeIdentifier(identity)})
           <= pg_sequence_last_value(pg_get_serial_sequence($1, $2)::regclass), true) as fits
       from ${target.escapeIdentifier(name)} where ${where}`,
      [name, identity],
    )
    if (rows[0]?.fits) continue
    throw new StartupError(
      `More rows of ${name} were added meanwhile than there was room for: move the pharmacy again.`,
    )
  }
}
