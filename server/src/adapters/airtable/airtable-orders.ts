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
import { type AirtableOptions, createAirtableClient } from './airtable-client.ts'
import { readSchema } from './airtable-columns.ts'
import { createAirtableRecord } from './airtable-creating.ts'
import { createInspection } from './airtable-inspection.ts'
import { createAirtableLists, isRefusal, type ListQuery } from './airtable-lists.ts'
import { readChangeTimes, readIdentities, readRecords } from './airtable-records.ts'
import { AirtableRefusal } from './airtable-reply.ts'
import { createAirtableWebhooks } from './airtable-webhooks.ts'

/** The column to request in lists of ids: the first one that the table has; undefined requests all columns. */
const COLUMNS_OF_IDS = ['PharmaWA', 'ID Ordine', 'ID_Ordine', undefined]

/** The records of one request by their ids: its address may have 16,000 characters. */
const IDS_PER_REQUEST = 50

/** The error types for a record that may have been deleted. */
const NOT_THERE = [
  'NOT_FOUND',
  'MODEL_ID_NOT_FOUND',
  'ROW_DOES_NOT_EXIST',
  'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
]

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

  async function* changed(location: SourceLocation, since: string, signal?: AbortSignal) {
    const list: ListQuery = { kind: 'read', location, signal }
    try {
      yield* records({ ...list, formula: changedAfter(since) })
    } catch (error) {
      if (!isRefusal(error, 'INVALID_FILTER_BY_FORMULA', 'UNKNOWN_FIELD_NAME')) throw error
      yield* records(list)
    }
  }

  /**
   * Sorted by the time of change, where the table has it. A time is read inclusively: several records may have it, and
   * the precision of Airtable is a millisecond.
   */
  async function* byChange(location: SourceLocation, from: string | null, signal?: AbortSignal) {
    const list: ListQuery = { kind: 'sweep', location, signal }
    const after = from === null ? null : new Date(Date.parse(from) - 1).toISOString()
    const sorted = {
      ...list,
      sort: 'Last',
      ...(after !== null && { formula: changedAfter(after) }),
    }
    try {
      // Started again by the caller, who knows how far it came.
      for await (const page of records(sorted, 0)) yield { page, isSorted: true }
    } catch (error) {
      if (!isRefusal(error, 'INVALID_FILTER_BY_FORMULA', 'UNKNOWN_FIELD_NAME')) throw error
      for await (const page of records(list, 0)) yield { page, isSorted: false }
    }
  }

  async function* identities(location: SourceLocation, signal?: AbortSignal) {
    for (const column of COLUMNS_OF_IDS) {
      try {
        yield* records({ kind: 'sweep', location, column, signal })
        return
      } catch (error) {
        // Must throw: an empty list would mean that every order was deleted.
        if (column === undefined || !isRefusal(error, 'UNKNOWN_FIELD_NAME')) throw error
      }
    }
  }

  /**
   * Airtable returns the same error for a deleted record, a deleted table and a missing permission. Only a filtered list
   * of the table distinguishes them.
   */
  async function found(
    location: SourceLocation,
    recordId: string,
    signal?: AbortSignal,
  ): Promise<SourceOrder> {
    try {
      const formula = `RECORD_ID() = '${RecordId.parse(recordId)}'`
      for await (const page of records({ kind: 'read', location, formula, signal })) {
        if (page.length > 0) return orderIn(page[0], recordId)
      }
    } catch (error) {
      throw asSourceError(error, 'table')
    }
    throw new SourceError('not_found', 'Airtable does not have that record')
  }

  return {
    async *readChanged(location, since, signal): AsyncGenerator<SourcePage> {
      try {
        const pages =
          since === null
            ? records({ kind: 'read', location, signal })
            : changed(location, since, signal)
        for await (const page of pages) yield readRecords(page)
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async *readCreated(location, since, signal): AsyncGenerator<SourcePage> {
      try {
        const list: ListQuery = { kind: 'read', location, formula: createdAfter(since), signal }
        for await (const page of records(list)) yield readRecords(page)
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async *readByChange(location, from, signal) {
      try {
        for await (const { page, isSorted } of byChange(location, from, signal)) {
          yield { ...readRecords(page), changedAt: isSorted ? readChangeTimes(page) : null }
        }
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async *readSome(location, recordIds, signal): AsyncGenerator<SourcePage> {
      try {
        for (let at = 0; at < recordIds.length; at += IDS_PER_REQUEST) {
          const formula = isOneOf(recordIds.slice(at, at + IDS_PER_REQUEST))
          const list: ListQuery = { kind: 'sweep', location, formula, signal }
          for await (const page of records(list)) yield readRecords(page)
        }
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async readOrder(location, recordId, signal) {
      const { baseId, tableId } = location
      try {
        const path = [baseId, tableId, recordId]
        return orderIn(await client.send({ kind: 'read', baseId, path, signal }), recordId)
      } catch (error) {
        if (!isRefusal(error, ...NOT_THERE)) throw asSourceError(error, 'record')
        return found(location, recordId, signal)
      }
    },

    async *readIds(location, signal) {
      try {
        for await (const page of identities(location, signal)) yield readIdentities(page)
      } catch (error) {
        throw asSourceError(error, 'table')
      }
    },

    async missingColumns({ baseId, tableId }, signal) {
      try {
        const path = ['meta', 'bases', baseId, 'tables']
        const schema = readSchema(
          await client.send({ kind: 'read', baseId, path, signal }),
          tableId,
        )
        return schema && schema.missingColumns
      } catch (error) {
        // The token may lack the permission to read the schema.
        const isSecret = error instanceof AirtableRefusal && [401, 403, 404].includes(error.status)
        if (isSecret) return null
        throw asSourceError(error, 'table')
      }
    },

    inspect: createInspection(client),

    webhooks: createAirtableWebhooks(client),

    async setStatus({ baseId, tableId }, recordId, status) {
      const path = [baseId, tableId, recordId]
      const reply = await client
        .send({ kind: 'write', baseId, path, body: { fields: { Stato: status } } })
        .catch((error) => {
          throw asSourceError(error, 'record')
        })
      return orderIn(reply, recordId)
    },

    async create(location, order, signal, until = Number.POSITIVE_INFINITY) {
      const limits = { signal, until }
      const reply = await createAirtableRecord(client, location, order, limits).catch((error) => {
        throw asSourceError(error, 'table')
      })
      const [made] = readRecords([reply]).orders
      if (!made) throw new SourceError('unreachable', 'the reply of Airtable is not a record')
      return made
    },
  }
}

function orderIn(reply: unknown, recordId: string): SourceOrder {
  const [order] = readRecords([reply]).orders
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
