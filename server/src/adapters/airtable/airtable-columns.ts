import { z } from 'zod'
import {
  type ORDER_COLUMNS,
  type OrderField,
  SourceError,
  type SourceLocation,
} from '../../ports/order-source.ts'
import { AirtableRefusal, type createAirtableClient } from './airtable-client.ts'
import { isRefusal } from './airtable-lists.ts'

const SchemaReply = z.object({
  tables: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      fields: z.array(z.object({ name: z.string(), type: z.string().catch('') })),
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

/** The columns that are read, with their fields. */
const FIELD_OF_COLUMN = {
  'ID Ordine': 'orderNumber',
  ID_Ordine: 'orderNumber',
  'ID WA': 'waId',
  Cliente: 'customerName',
  'Phone Number': 'customerPhone',
  Indirizzo: 'address',
  Ordine: 'details',
  Stato: 'status',
  Image: 'image',
  PharmaWA: 'pharmaWa',
  Created: 'createdAt',
  Last: 'updatedAt',
} as const satisfies Record<(typeof ORDER_COLUMNS)[number], OrderField>

export type OrderColumn = keyof typeof FIELD_OF_COLUMN

const isOrderColumn = (name: string): name is OrderColumn => name in FIELD_OF_COLUMN

const ALL_COLUMNS = Object.keys(FIELD_OF_COLUMN).filter(isOrderColumn)

const OTHER_NUMBER = 'ID_Ordine'

/** The columns of a table as long as Airtable has not said otherwise. */
export const STANDARD_COLUMNS = ALL_COLUMNS.filter((name) => name !== OTHER_NUMBER)

/** The required columns that are not among those of a table. */
export function missingAmong(columns: readonly string[]): string[] {
  return NEEDED_COLUMNS.flatMap((names) =>
    names.some((name) => columns.includes(name)) ? [] : [names[0]],
  )
}

/** The fields of orders for which the table has no column, or whose only columns are those given. */
export function fieldsWithout(columns: readonly string[]): OrderField[] {
  const present = new Set<OrderField>(
    columns.filter(isOrderColumn).map((name) => FIELD_OF_COLUMN[name]),
  )
  return [...new Set(Object.values(FIELD_OF_COLUMN))].filter((field) => !present.has(field))
}

/**
 * The name of a table, and those of its columns with Airtable's names of their types; null when the base has no such
 * table.
 *
 * @param reply the response of Airtable's metadata API with the tables of a base
 */
export function readSchema(
  reply: unknown,
  tableId: string,
): { name: string; columns: Map<string, string> } | null {
  const schema = SchemaReply.safeParse(reply)
  if (!schema.success) {
    throw new SourceError('unreachable', 'the reply of Airtable is not a list of tables')
  }
  const { tables } = schema.data
  const table =
    tables.find(({ id }) => id === tableId) ?? tables.find(({ name }) => name === tableId)
  if (!table) return null
  return { name: table.name, columns: new Map(table.fields.map(({ name, type }) => [name, type])) }
}

/** The columns of a table with their types, by its schema; null when the token may not read it. @throws AirtableRefusal, SourceError */
export async function schemaColumns(
  client: ReturnType<typeof createAirtableClient>,
  { baseId, tableId }: SourceLocation,
  signal: AbortSignal | undefined,
): Promise<Map<string, string> | null> {
  try {
    const path = ['meta', 'bases', baseId, 'tables']
    const reply = await client.send({ kind: 'read', baseId, path, signal })
    return readSchema(reply, tableId)?.columns ?? null
  } catch (error) {
    const isSecret = error instanceof AirtableRefusal && [401, 403, 404].includes(error.status)
    if (isSecret) return null
    throw error
  }
}

/** Whether a table has a column, for a token that may not read the schema. @throws AirtableRefusal, SourceError */
export async function hasColumn(
  client: ReturnType<typeof createAirtableClient>,
  { baseId, tableId }: SourceLocation,
  name: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const query = new URLSearchParams({ maxRecords: '1', 'fields[]': name })
  try {
    await client.send({ kind: 'read', baseId, path: [baseId, tableId], query, tries: 1, signal })
    return true
  } catch (error) {
    if (isRefusal(error, 'UNKNOWN_FIELD_NAME')) return false
    throw error
  }
}

/**
 * Which of the columns of orders each table has. Lists ask for them by name, because Airtable leaves out empty cells:
 * when it refuses a name that column is gone, and otherwise an absent cell is empty.
 *
 * @param recheckMs after this time it is looked whether columns that were gone are back
 */
export function createTableColumns(
  client: ReturnType<typeof createAirtableClient>,
  recheckMs: number,
) {
  const tables = new Map<string, { columns: readonly OrderColumn[]; at: number }>()
  const keyOf = ({ baseId, tableId }: SourceLocation) => `${baseId}/${tableId}`

  function keep(location: SourceLocation, columns: readonly OrderColumn[]) {
    tables.set(keyOf(location), { columns, at: Date.now() })
    return columns
  }

  /** By the schema; null when it is not to be had, which fails no reading. */
  async function lookUp(location: SourceLocation, signal: AbortSignal | undefined) {
    const present = await schemaColumns(client, location, signal).catch((error: unknown) => {
      if (signal?.aborted) throw error
      return null
    })
    return present && ALL_COLUMNS.filter((name) => present.has(name))
  }

  return {
    /** The columns as they were last known. */
    known: (location: SourceLocation): readonly OrderColumn[] =>
      tables.get(keyOf(location))?.columns ?? STANDARD_COLUMNS,

    /** The columns to ask for. */
    async current(location: SourceLocation, signal?: AbortSignal): Promise<readonly OrderColumn[]> {
      const table = tables.get(keyOf(location))
      if (!table) return STANDARD_COLUMNS
      const isDue = Date.now() - table.at >= recheckMs
      const isComplete = fieldsWithout(table.columns).length === 0
      if (!isDue || isComplete) return table.columns
      // All of them may be there.
      return keep(location, (await lookUp(location, signal)) ?? ALL_COLUMNS)
    },

    /**
     * After a refusal: finds out which of the columns are there.
     *
     * @returns false when it was no refusal of a column
     */
    async narrow(
      location: SourceLocation,
      asked: readonly OrderColumn[],
      refusal: unknown,
      signal?: AbortSignal,
    ): Promise<boolean> {
      if (!(refusal instanceof AirtableRefusal)) return false
      // Only the time of change is in formulas.
      const isFormula = refusal.type === 'INVALID_FILTER_BY_FORMULA'
      if (!isFormula && refusal.type !== 'UNKNOWN_FIELD_NAME') return false
      const gone = isFormula ? 'Last' : refusal.column?.name
      const present = isFormula ? null : await lookUp(location, signal)
      const candidates = gone === 'ID Ordine' ? [...asked, OTHER_NUMBER] : asked
      const columns = ALL_COLUMNS.filter(
        (name) => name !== gone && (present ?? candidates).includes(name),
      )
      keep(location, columns)
      return columns.join() !== asked.join()
    },

    /**
     * Where orders have no number: looks whether it is in the other column, once.
     *
     * @returns whether it may be
     */
    async findNumber(location: SourceLocation, signal?: AbortSignal): Promise<boolean> {
      if (tables.has(keyOf(location))) return false
      const columns = (await lookUp(location, signal)) ?? ALL_COLUMNS
      return keep(location, columns).includes(OTHER_NUMBER)
    },
  }
}
