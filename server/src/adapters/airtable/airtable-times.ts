import { dayOf, ROME } from '@bancone/contract/dates'
import type { SourceLocation } from '../../ports/order-source.ts'
import { AirtableRefusal, type createAirtableClient } from './airtable-client.ts'
import { hasColumn, schemaColumns } from './airtable-columns.ts'

const readable = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})

/** A time (ISO 8601) as the cells of a column hold it, by Airtable's names of the types that can. */
const CELLS = new Map([
  ['dateTime', (time: string) => time],
  ['date', (time: string) => dayOf(Date.parse(time))],
  ...['singleLineText', 'multilineText', 'richText'].map(
    (type) => [type, (time: string) => readable.format(Date.parse(time))] as const,
  ),
])

/**
 * Times in columns that a pharmacy names. Columns whose type is not known, because the token may not read the schema,
 * get the time as Airtable writes it: in a text it is less readable.
 *
 * @param recheckMs after this time the types are looked up again
 */
export function createAirtableTimes(
  client: ReturnType<typeof createAirtableClient>,
  recheckMs: number,
) {
  const tables = new Map<string, { types: ReadonlyMap<string, string> | null; at: number }>()

  async function lookUp(location: SourceLocation, signal?: AbortSignal) {
    const types = await schemaColumns(client, location, signal)
    tables.set(`${location.baseId}/${location.tableId}`, { types, at: Date.now() })
    return types
  }

  async function typesOf(location: SourceLocation) {
    const known = tables.get(`${location.baseId}/${location.tableId}`)
    return known && Date.now() - known.at < recheckMs ? known.types : lookUp(location)
  }

  /** @returns the refused columns */
  async function send(
    location: SourceLocation,
    recordId: string,
    cells: ReadonlyMap<string, string | null>,
  ): Promise<string[]> {
    const [first, ...others] = cells.keys()
    if (first === undefined) return []
    const { baseId, tableId } = location
    const body = { fields: Object.fromEntries(cells) }
    try {
      await client.send({ kind: 'write', baseId, path: [baseId, tableId, recordId], body })
      return []
    } catch (error) {
      if (!(error instanceof AirtableRefusal) || error.status !== 422) throw error
      const refused = error.column?.name ?? (others.length === 0 ? first : undefined)
      if (refused !== undefined) {
        const rest = new Map([...cells].filter(([name]) => name !== refused))
        return [refused, ...(await send(location, recordId, rest))]
      }
    }
    // Not every refusal names the column.
    const each: string[] = []
    for (const cell of cells) each.push(...(await send(location, recordId, new Map([cell]))))
    return each
  }

  return {
    async write(
      location: SourceLocation,
      recordId: string,
      times: ReadonlyMap<string, string | null>,
    ): Promise<string[]> {
      const types = await typesOf(location)
      const cells = [...times].map(([name, time]) => {
        const cell = CELLS.get(types?.get(name) ?? '') ?? ((same: string) => same)
        return [name, time === null ? null : cell(time)] as const
      })
      return send(location, recordId, new Map(cells))
    },

    async check(
      location: SourceLocation,
      columns: readonly string[],
      signal?: AbortSignal,
    ): Promise<string[]> {
      const types = await lookUp(location, signal)
      const refused: string[] = []
      for (const name of columns) {
        const isFit = types
          ? CELLS.has(types.get(name) ?? '')
          : await hasColumn(client, location, name, signal)
        if (!isFit) refused.push(name)
      }
      return refused
    },
  }
}
