import { z } from 'zod'
import { SourceError, type SourceLocation } from '../../ports/order-source.ts'
import type { createAirtableClient } from './airtable-client.ts'
import type { CallKind } from './airtable-rate.ts'
import { AirtableRefusal } from './airtable-reply.ts'

const PAGE_SIZE = '100'

/** How often a list is restarted after its iterator has expired. */
const MAX_RESTARTS = 3

const ListReply = z.object({ records: z.array(z.unknown()), offset: z.string().optional() })

/** A query for the records of a table; by default all records. */
export type ListQuery = {
  kind: CallKind
  location: SourceLocation
  formula?: string
  /** The columns to return; none returns all. */
  columns: readonly string[]
  /** The column by which the records are sorted, ascending. */
  sort?: string | undefined
  signal: AbortSignal | undefined
}

/** Reads lists of records page by page. A restarted list returns some records twice. */
export function createAirtableLists(client: ReturnType<typeof createAirtableClient>) {
  async function* pages({ kind, location, formula, columns, sort, signal }: ListQuery) {
    const { baseId, tableId } = location
    let offset: string | undefined
    do {
      const query = new URLSearchParams({
        pageSize: PAGE_SIZE,
        ...(formula && { filterByFormula: formula }),
        ...(sort && { 'sort[0][field]': sort, 'sort[0][direction]': 'asc' }),
        ...(offset && { offset }),
      })
      for (const column of columns) query.append('fields[]', column)
      const reply = await client.send({ kind, baseId, path: [baseId, tableId], query, signal })
      const list = ListReply.safeParse(reply)
      if (!list.success) {
        throw new SourceError('unreachable', 'the reply of Airtable is not a list of records')
      }
      yield list.data.records
      offset = list.data.offset
    } while (offset)
  }

  /** @param maxRestarts how often it is restarted after its iterator has expired */
  return async function* restarting(
    list: ListQuery,
    maxRestarts = MAX_RESTARTS,
  ): AsyncGenerator<unknown[]> {
    for (let restarts = 0; ; restarts += 1) {
      try {
        yield* pages(list)
        return
      } catch (error) {
        if (!isRefusal(error, 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE')) throw error
        if (restarts >= maxRestarts) {
          throw new SourceError('unreachable', 'the list of Airtable expired again and again')
        }
      }
    }
  }
}

export function isRefusal(error: unknown, ...types: string[]): boolean {
  return error instanceof AirtableRefusal && types.includes(error.type)
}
