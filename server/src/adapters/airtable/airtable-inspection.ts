import { z } from 'zod'
import {
  SourceError,
  type SourceInspection,
  type SourceLocation,
} from '../../ports/order-source.ts'
import { AirtableRefusal, type createAirtableClient } from './airtable-client.ts'
import { hasColumn, missingAmong, NEEDED_COLUMNS, readSchema } from './airtable-columns.ts'

const BasesReply = z.object({ bases: z.array(z.object({ id: z.string(), name: z.string() })) })

const nothing = { base: null, table: null, missingColumns: [] }

/** Inspects a table by its schema; without the permission for that, by asking for each of its columns. */
export function createInspection(client: ReturnType<typeof createAirtableClient>) {
  return async (location: SourceLocation, signal?: AbortSignal): Promise<SourceInspection> => {
    const { baseId, tableId } = location
    const get = (path: string[]) => client.send({ kind: 'read', baseId, path, tries: 1, signal })

    /** The name of the base; null when the token may not list the bases, or it is far down the list. */
    async function baseName(): Promise<string | null> {
      try {
        const { bases } = BasesReply.parse(await get(['meta', 'bases']))
        return bases.find(({ id }) => id === baseId)?.name ?? null
      } catch {
        return null
      }
    }

    async function missingByAsking(): Promise<string[]> {
      const missing: string[] = []
      for (const names of NEEDED_COLUMNS) {
        let isThere = false
        for (const name of names) isThere ||= await hasColumn(client, location, name, signal)
        if (!isThere) missing.push(names[0])
      }
      return missing
    }

    try {
      const reply = await get(['meta', 'bases', baseId, 'tables']).catch(unlessDenied)
      if (reply !== undefined) {
        const schema = readSchema(reply, tableId)
        const base = await baseName()
        if (!schema) return { ...nothing, base, problem: 'table_not_found' }
        const { name: table, columns } = schema
        return { base, table, missingColumns: missingAmong([...columns.keys()]), problem: null }
      }
      return { ...nothing, missingColumns: await missingByAsking(), problem: null }
    } catch (error) {
      return { ...nothing, problem: problemOf(error) }
    }
  }
}

/** Undefined when the token may not read the schema: its base may be readable all the same. */
function unlessDenied(error: unknown): undefined {
  if (error instanceof AirtableRefusal && [403, 404].includes(error.status)) return undefined
  throw error
}

function problemOf(error: unknown): SourceInspection['problem'] {
  if (error instanceof SourceError && error.kind === 'denied') return 'not_configured'
  if (!(error instanceof AirtableRefusal)) return 'unreachable'
  if (error.status === 401) return 'wrong_token'
  if (error.type === 'TABLE_NOT_FOUND') return 'table_not_found'
  return error.status === 404 ? 'base_not_found' : 'refused'
}
