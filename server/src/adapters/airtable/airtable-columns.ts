import { z } from 'zod'
import { SourceError } from '../../ports/order-source.ts'

const SchemaReply = z.object({
  tables: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      fields: z.array(z.object({ name: z.string() })),
    }),
  ),
})

/** The required columns of orders, each with its possible names; the first name is the standard one. */
export const NEEDED_COLUMNS = [
  ['ID Ordine', 'ID_Ordine'],
  ['Cliente'],
  ['Phone Number'],
  ['Indirizzo'],
  ['Ordine'],
  ['Stato'],
  ['Image'],
  ['Last'],
] as const

/**
 * The name of a table and the required columns that it does not have; null when the base has no such table.
 *
 * @param reply the response of Airtable's metadata API with the tables of a base
 */
export function readSchema(
  reply: unknown,
  tableId: string,
): { name: string; missingColumns: string[] } | null {
  const schema = SchemaReply.safeParse(reply)
  if (!schema.success) {
    throw new SourceError('unreachable', 'the reply of Airtable is not a list of tables')
  }
  const { tables } = schema.data
  const table =
    tables.find(({ id }) => id === tableId) ?? tables.find(({ name }) => name === tableId)
  if (!table) return null
  const present = new Set(table.fields.map(({ name }) => name))
  const missing = NEEDED_COLUMNS.filter((names) => !names.some((name) => present.has(name)))
  return { name: table.name, missingColumns: missing.map(([name]) => name) }
}
