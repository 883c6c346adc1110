import { RecordId } from '@bancone/contract/orders'
import {
  type OrderSource,
  SourceError,
  type SourceInspector,
  type SourceLocation,
  type SourceOrder,
  type SourcePage,
} from '../../ports/order-source.ts'
import type { SourceWebhooks } from '../../ports/source-webhooks.ts'
import { type AirtableOptions, AirtableRefusal, createAirtableClient } from './airtable-client.ts'
import { createTableColumns, missingAmong, schemaColumns } from './airtable-columns.ts'
import { correctAirtableRecord, createAirtableRecord } from './airtable-creating.ts'
import { createInspection } from './airtable-inspection.ts'
import { createAirtableLists, isRefusal, type ListQuery } from './airtable-lists.ts'
import { hasNoNumber, readChangeTimes, readIdentities, readRecords } from './airtable-records.ts'
import { createAirtableTimes } from './airtable-times.ts'
import { createAirtableWebhooks } from './airtable-webhooks.ts'

/** The column to request in lists of ids: the first one that the table has; undefined requests all columns. */
const COLUMNS_OF_IDS = ['PharmaWA', 'ID Ordine', 'ID_Ordine', undefined]

/** The records of one request by their ids: its address may have 16,000 characters. */
const IDS_PER_REQUEST = 50

/** Time after which it is looked whether columns that were gone are back. */
const COLUMNS_RECHECK_MS = 5 * 60_000

/**
 * A pharmacy's orders in its Airtable base.
 *
 * A table without the column `Last` cannot be filtered by change time and is read as a whole each time.
 */
export function createAirtableOrders(
  options: AirtableOptions,
): OrderSource & SourceInspector & { webhooks: SourceWebhooks } {
  const client = createAirtableClient(options)
  const records = createAirtableLists(client)

  const recheckMs = options.columnsRecheckMs ?? COLUMNS_RECHECK_MS
  const tables = createTableColumns(client, recheckMs)
  const times = createAirtableTimes(client, recheckMs)

  /** Reads a list of orders, asking for the columns that the table has. */
  async function* orders(
    list: Omit<ListQuery, 'columns' | 'formula' | 'sort'>,
    narrowed: (hasLast: boolean) => Pick<ListQuery, 'formula' | 'sort'>,
    maxRestarts?: number,
  ) {
    const { location, signal } = list
    for (;;) {
      const columns = await tables.current(location, signal)
      const query = { ...list, columns, ...narrowed(columns.includes('Last')) }
      let isNumberElsewhere = false
      try {
        for await (const page of records(query, maxRestarts)) {
          isNumberElsewhere = page.some(hasNoNumber) && (await tables.findNumber(location, signal))
          if (isNumberElsewhere) break
          yield { page, columns }
        }
        if (!isNumberElsewhere) return
      } catch (error) {
        if (!(await tables.narrow(location, columns, error, signal))) throw error
      }
    }
  }

  async function* identities(location: SourceLocation, signal?: AbortSignal) {
    for (const column of COLUMNS_OF_IDS) {
      try {
        const columns = column === undefined ? [] : [column]
        for await (const page of records({ kind: 'sweep', location, columns, signal }))
          yield readIdentities(page, column === COLUMNS_OF_IDS[0])
        return
      } catch (error) {
        // Must throw: an empty list would mean that every order was deleted.
        if (column === undefined || !isRefusal(error, 'UNKNOWN_FIELD_NAME')) throw error
      }
    }
  }

  return {
    async *readChanged(location, since, signal): AsyncGenerator<SourcePage> {
      try {
        const narrowed = (hasLast: boolean) =>
          hasLast && since !== null ? { formula: changedAfter(since) } : {}
        for await (const { page, columns } of orders(
          { kind: 'read', location, signal },
          narrowed,
        )) {
          yield pageOf(page, columns)
        }
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async *readCreated(location, since, signal): AsyncGenerator<SourcePage> {
      try {
        const formula = createdAfter(since)
        const list = orders({ kind: 'read', location, signal }, () => ({ formula }))
        for await (const { page, columns } of list) yield pageOf(page, columns)
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    /**
     * Sorted by the time of change, where the table has it. A time is read inclusively: several records may have it,
     * and the precision of Airtable is a millisecond.
     */
    async *readByChange(location, from, signal) {
      const after = from === null ? null : new Date(Date.parse(from) - 1).toISOString()
      const narrowed = (hasLast: boolean) =>
        hasLast ? { sort: 'Last', ...(after !== null && { formula: changedAfter(after) }) } : {}
      try {
        // Started again by the caller, who knows how far it came.
        const list = orders({ kind: 'sweep', location, signal }, narrowed, 0)
        for await (const { page, columns } of list) {
          const changedAt = columns.includes('Last') ? readChangeTimes(page) : null
          yield { ...pageOf(page, columns), changedAt }
        }
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async *readSome(location, recordIds, signal): AsyncGenerator<SourcePage> {
      try {
        for (let at = 0; at < recordIds.length; at += IDS_PER_REQUEST) {
          const formula = isOneOf(recordIds.slice(at, at + IDS_PER_REQUEST))
          const list = orders({ kind: 'sweep', location, signal }, () => ({ formula }))
          for await (const { page, columns } of list) yield pageOf(page, columns)
        }
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    /**
     * As a list: the record alone would not say which of its columns are gone. Airtable's error for a record alone is also
     * the same for a deleted record, a deleted table and a missing permission.
     */
    async readOrder(location, recordId, signal) {
      try {
        const formula = `RECORD_ID() = '${RecordId.parse(recordId)}'`
        const list = orders({ kind: 'read', location, signal }, () => ({ formula }))
        for await (const { page, columns } of list) {
          if (page.length > 0) return orderIn(page[0], recordId, columns)
        }
      } catch (error) {
        throw asSourceError(error, 'table')
      }
      throw new SourceError('not_found', 'Airtable does not have that record')
    },

    async *readIds(location, signal) {
      try {
        yield* identities(location, signal)
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async missingColumns(location, signal) {
      try {
        const present = await schemaColumns(client, location, signal)
        return present && missingAmong([...present.keys()])
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    inspect: createInspection(client),

    webhooks: createAirtableWebhooks(client),

    async setStatus(location, recordId, status) {
      const { baseId, tableId } = location
      const path = [baseId, tableId, recordId]
      const reply = await client
        .send({ kind: 'write', baseId, path, body: { fields: { Stato: status } } })
        .catch((error) => {
          throw asSourceError(error, 'record')
        })
      return orderIn(reply, recordId, tables.known(location))
    },

    async writeTimes(location, recordId, values) {
      return times.write(location, recordId, values).catch((error: unknown) => {
        throw asSourceError(error, 'record')
      })
    },

    async columnsWithoutTimes(location, columns, signal) {
      return times.check(location, columns, signal).catch((error: unknown) => {
        throw asSourceError(error, 'table')
      })
    },

    async correct(location, recordId, correction) {
      const reply = await correctAirtableRecord(client, location, recordId, correction).catch(
        (error) => {
          throw asSourceError(error, 'record')
        },
      )
      return orderIn(reply, recordId, tables.known(location))
    },

    async remove({ baseId, tableId }, recordId) {
      const path = [baseId, tableId, recordId]
      await client.send({ kind: 'write', baseId, path, method: 'DELETE' }).catch((error) => {
        throw asSourceError(error, 'record')
      })
    },

    async create(location, order, signal, until = Number.POSITIVE_INFINITY) {
      const limits = { signal, until }
      const reply = await createAirtableRecord(client, location, order, limits).catch((error) => {
        throw asSourceError(error, 'table')
      })
      const [made] = readRecords([reply], tables.known(location)).orders
      if (!made) throw new SourceError('unreachable', 'the reply of Airtable is not a record')
      return made
    },
  }
}

function pageOf(records: unknown[], columns: readonly string[]): SourcePage {
  return { ...readRecords(records, columns), missingColumns: missingAmong(columns) }
}

function orderIn(reply: unknown, recordId: string, columns: readonly string[]): SourceOrder {
  const [order] = readRecords([reply], columns).orders
  if (order?.recordId !== recordId) {
    throw new SourceError('unreachable', 'the reply of Airtable is not the record')
  }
  return order
}

/**
 * A formula for the records changed after a time (ISO 8601; parsed, so that nothing can be injected). Where `Last` is
 * empty or invalid, IS_AFTER is an error and would make the whole formula fail, so that new orders would be missed.
 */
function changedAfter(since: string): string {
  const last = `IS_AFTER({Last}, ${moment(since)})`
  return `OR(IF(ISERROR(${last}), FALSE(), ${last}), ${createdAfter(since)})`
}

function createdAfter(since: string): string {
  return `IS_AFTER(CREATED_TIME(), ${moment(since)})`
}

function isOneOf(recordIds: readonly string[]): string {
  return `OR(${recordIds.map((id) => `RECORD_ID() = '${RecordId.parse(id)}'`).join(', ')})`
}

function moment(time: string): string {
  return `DATETIME_PARSE('${new Date(time).toISOString()}')`
}

/** The HTTP statuses for a wrong token, plan or table. */
const DENIED = new Set([401, 402, 403, 429])

/** Converts Airtable's refusals into SourceErrors, for a request about a table or about one record. */
function asSourceError(error: unknown, about: 'table' | 'record'): unknown {
  if (!(error instanceof AirtableRefusal)) return error
  const { status, type, message } = error
  if (DENIED.has(status)) return new SourceError('denied', message)
  const isGone = type === 'NOT_FOUND' || type === 'ROW_DOES_NOT_EXIST'
  if (isGone && about === 'record') return new SourceError('not_found', message)
  return new SourceError(status === 404 ? 'denied' : 'refused', message)
}
