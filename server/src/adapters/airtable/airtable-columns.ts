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

/** The required columns, each with its possible names; the first name is the standard one. */
const NEEDED = [
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
 * The required columns that a table does not have; null when the base has no such table.
 *
 * @param reply the response of Airtable's metadata API with the tables of a base
 */
export function findMissingColumns(reply: unknown, tableId: string): string[] | null {
  const schema = SchemaReply.safeParse(reply)
  if (!schema.success) {
    throw new SourceError('unreachable', 'the reply of Airtable is not a list of tables')
  }
  const { tables } = schema.data
  const table =
    tables.find(({ id }) => id === tableId) ?? tables.find(({ name }) => name === tableId)
  if (!table) return null
  const present = new Set(table.fields.map(({ name }) => name))
  return NEEDED.filter((names) => !names.some((name) => present.has(name))).map(([name]) => name)
}
