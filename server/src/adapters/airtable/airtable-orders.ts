import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourcePage,
} from '../../ports/order-source.ts'
import { type AirtableOptions, createAirtableClient } from './airtable-client.ts'
import { ListReply, readRecords } from './airtable-records.ts'
import { AirtableRefusal } from './airtable-reply.ts'

const PAGE_SIZE = '100'

/** How often a list is begun anew when its iterator has expired in the middle. */
const MOST_RESTARTS = 3

/**
 * A pharmacy's orders in its Airtable base.
 *
 * A table without the column `Last` cannot be asked for changes: it is read whole each time.
 */
export function createAirtableOrders(options: AirtableOptions): OrderSource {
  const client = createAirtableClient(options)

  /** All the pages of a list, of the whole table unless a formula is given. */
  type List = { location: SourceLocation; formula?: string; signal: AbortSignal | undefined }

  async function* pages({ location, formula, signal }: List) {
    let offset: string | undefined
    do {
      const query = new URLSearchParams({
        pageSize: PAGE_SIZE,
        ...(formula && { filterByFormula: formula }),
        ...(offset && { offset }),
      })
      const reply = await client.send({ kind: 'read', location, query, signal })
      const list = ListReply.safeParse(reply)
      if (!list.success) {
        throw new SourceError('unreachable', 'the reply of Airtable is not a list of records')
      }
      yield readRecords(list.data.records)
      offset = list.data.offset
    } while (offset)
  }

  async function* restarting(list: List) {
    for (let restarts = 0; ; restarts += 1) {
      try {
        yield* pages(list)
        return
      } catch (error) {
        if (!isRefusal(error, 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE')) throw error
        if (restarts >= MOST_RESTARTS) {
          throw new SourceError('unreachable', 'the list of Airtable expired again and again')
        }
      }
    }
  }

  async function* changed(location: SourceLocation, since: string, signal?: AbortSignal) {
    try {
      for (const formula of changedAfter(since)) yield* restarting({ location, formula, signal })
    } catch (error) {
      const cannotFilter =
        isRefusal(error, 'INVALID_FILTER_BY_FORMULA') || isRefusal(error, 'UNKNOWN_FIELD_NAME')
      if (!cannotFilter) throw error
      yield* restarting({ location, signal })
    }
  }

  return {
    async *readChanged(location, since, signal): AsyncGenerator<SourcePage> {
      try {
        if (since === null) yield* restarting({ location, signal })
        else yield* changed(location, since, signal)
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },
    async setStatus(location, recordId, status) {
      const body = { fields: { Stato: status } }
      const reply = await client
        .send({ kind: 'write', location, recordId, body })
        .catch((error) => {
          throw asSourceError(error, 'record')
        })
      const [order] = readRecords([reply]).orders
      if (!order) throw new SourceError('unreachable', 'the reply of Airtable is not a record')
      return order
    },
  }
}

/**
 * Formulas that between them hold for every record changed after that time (ISO 8601, nothing else gets
 * in). Two lists and not one OR: where `Last` is empty or broken IS_AFTER is an error, and so is all
 * that it is a part of. A new order must not be missed for that.
 */
function changedAfter(since: string): string[] {
  const time = `DATETIME_PARSE('${new Date(since).toISOString()}')`
  return [`IS_AFTER({Last}, ${time})`, `IS_AFTER(CREATED_TIME(), ${time})`]
}

function isRefusal(error: unknown, type: string): boolean {
  return error instanceof AirtableRefusal && error.type === type
}

/** Statuses that say that token, plan or table are not what they should be. */
const DENIED = new Set([401, 402, 403, 429])

/** What Airtable's refusals mean to whoever asked, about a whole table or one record of it. */
function asSourceError(error: unknown, about: 'table' | 'record'): unknown {
  if (!(error instanceof AirtableRefusal)) return error
  const { status, type, message } = error
  if (DENIED.has(status)) return new SourceError('denied', message)
  const isGone = type === 'NOT_FOUND' || type === 'ROW_DOES_NOT_EXIST'
  if (isGone && about === 'record') return new SourceError('not_found', message)
  return new SourceError(status === 404 ? 'denied' : 'refused', message)
}
