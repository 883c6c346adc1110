import pg from 'pg'
import type { CatalogueTable } from './catalogue.ts'

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
 * Makes room for numbers from `first` to `last`: where they are taken they are to be increased.
 *
 * @returns by how much
 */
export async function makeRoom(
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
