import { z } from 'zod'
import { invalidRecords, invalidRequest, noSuchModel, unknownRow } from './api-error.ts'
import { type Listing, parseQuery, queryOf } from './listing.ts'
import type { Table } from './table.ts'

const MOST = 10

const Fields = z.record(z.string(), z.unknown())
const Typecast = z.boolean().default(false)
const One = z.object({ fields: Fields, typecast: Typecast })
const Creations = z.object({
  records: z
    .array(z.object({ fields: Fields }))
    .min(1)
    .max(MOST),
  typecast: Typecast,
})
const Updates = z.object({
  records: z
    .array(z.object({ id: z.string(), fields: Fields }))
    .min(1)
    .max(MOST),
  typecast: Typecast,
})
/** The elements are validated one by one afterwards. */
const Many = z.object({ records: z.unknown() })

export type ApiRequest = { method: string; path: string[]; search: URLSearchParams; body: unknown }

/** Handles `/v0/{base}/{table}…`. @throws ApiError */
export function answer(
  request: ApiRequest,
  findTable: (base: string, table: string) => Table | undefined,
  list: Listing,
): unknown {
  const [base = '', name = '', id] = request.path
  const table = findTable(base, name)
  if (!table || request.path.length > 3) throw noSuchModel()
  if (id === 'listRecords' && request.method === 'POST') {
    return list(table, parseQuery(request.body))
  }
  return id === undefined ? many(request, table, list) : one(request, table, id)
}

function many({ method, search, body }: ApiRequest, table: Table, list: Listing): unknown {
  switch (method) {
    case 'GET':
      return list(table, queryOf(search))
    case 'POST': {
      if (!Many.safeParse(body).success) {
        const { fields, typecast } = parse(One, body)
        return table.create([{ fields }], typecast).map((record) => table.show(record))[0]
      }
      const given = parseMany(Creations, body)
      const added = table.create(given.records, given.typecast)
      return { records: added.map((record) => table.show(record)) }
    }
    case 'PATCH':
    case 'PUT': {
      const given = parseMany(Updates, body)
      mustExist(
        table,
        given.records.map((record) => record.id),
      )
      const options = { replace: method === 'PUT', typecast: given.typecast }
      const changed = table.update(given.records, options)
      return { records: changed.map((record) => table.show(record)) }
    }
    case 'DELETE': {
      const ids = search.getAll('records[]').concat(search.getAll('records'))
      if (ids.length === 0 || ids.length > MOST) throw invalidRecords('record IDs')
      mustExist(table, ids)
      table.remove(ids)
      return { records: ids.map((gone) => ({ id: gone, deleted: true })) }
    }
    default:
      throw invalidRequest('unknown method')
  }
}

function one({ method, body }: ApiRequest, table: Table, id: string): unknown {
  switch (method) {
    case 'GET':
      return table.show(table.get(id))
    case 'PATCH':
    case 'PUT': {
      const { fields, typecast } = parse(One, body)
      const [changed] = table.update([{ id, fields }], { replace: method === 'PUT', typecast })
      return changed && table.show(changed)
    }
    case 'DELETE':
      table.remove([id])
      return { id, deleted: true }
    default:
      throw invalidRequest('unknown method')
  }
}

function mustExist(table: Table, ids: string[]): void {
  const present = new Set(table.records().map((record) => record.id))
  const missing = ids.find((id) => !present.has(id))
  if (missing !== undefined) throw unknownRow(missing)
}

function parseMany<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw invalidRecords('record objects')
  return result.data
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw invalidRequest('could not parse request body')
  return result.data
}
