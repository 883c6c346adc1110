import {
  type OrderSource,
  SourceError,
  type SourceLocation,
  type SourcePage,
} from '../../ports/order-source.ts'
import { type AirtableOptions, AirtableRefusal, createAirtableClient } from './airtable-client.ts'
import { ListReply, readRecords } from './airtable-records.ts'

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

  async function* pages(location: SourceLocation, query: Record<string, string>) {
    let offset: string | undefined
    do {
      const reply = await client.send({
        kind: 'read',
        location,
        query: new URLSearchParams({ ...query, pageSize: PAGE_SIZE, ...(offset && { offset }) }),
      })
      const list = ListReply.safeParse(reply)
      if (!list.success) {
        throw new SourceError('unreachable', 'the reply of Airtable is not a list of records')
      }
      yield readRecords(list.data.records)
      offset = list.data.offset
    } while (offset)
  }

  async function* restarting(location: SourceLocation, query: Record<string, string>) {
    for (let restarts = 0; ; restarts += 1) {
      try {
        yield* pages(location, query)
        return
      } catch (error) {
        const expired = isRefusal(error, 'LIST_RECORDS_ITERATOR_NOT_AVAILABLE')
        if (!expired || restarts >= MOST_RESTARTS) throw error
      }
    }
  }

  async function* readChanged(
    location: SourceLocation,
    since: string | null,
  ): AsyncGenerator<SourcePage> {
    try {
      yield* restarting(location, since ? { filterByFormula: changedAfter(since) } : {})
    } catch (error) {
      const cannotFilter =
        isRefusal(error, 'INVALID_FILTER_BY_FORMULA') || isRefusal(error, 'UNKNOWN_FIELD_NAME')
      if (since === null || !cannotFilter) throw asSourceError(error)
      yield* wholeTable(location)
    }
  }

  async function* wholeTable(location: SourceLocation) {
    try {
      yield* restarting(location, {})
    } catch (error) {
      throw asSourceError(error)
    }
  }

  return {
    readChanged,
    async setStatus(location, recordId, status) {
      const body = { fields: { Stato: status } }
      const reply = await client
        .send({ kind: 'write', location, recordId, body })
        .catch((error) => {
          throw asSourceError(error)
        })
      const [order] = readRecords([reply]).orders
      if (!order) throw new SourceError('unreachable', 'the reply of Airtable is not a record')
      return order
    },
  }
}

/** A formula that holds for records changed after that time (ISO 8601, nothing else gets in). */
function changedAfter(since: string): string {
  return `IS_AFTER({Last}, DATETIME_PARSE('${new Date(since).toISOString()}'))`
}

function isRefusal(error: unknown, type: string): boolean {
  return error instanceof AirtableRefusal && error.type === type
}

/** What Airtable's refusals mean to whoever asked. */
function asSourceError(error: unknown): unknown {
  if (!(error instanceof AirtableRefusal)) return error
  const { status, type, message } = error
  if (status === 401 || status === 403) return new SourceError('denied', message)
  if (status === 404) {
    return new SourceError(type === 'NOT_FOUND' ? 'not_found' : 'denied', message)
  }
  return new SourceError('refused', message)
}
