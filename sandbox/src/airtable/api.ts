import { z } from 'zod'
import { invalidRequest, noSuchModel, unknownRow } from './api-error.ts'
import { type createListing, parseQuery, queryOf } from './listing.ts'
import type { Table } from './table.ts'

const MOST = 10

const Fields = z.record(z.string(), z.unknown())
const typecast = z.boolean().default(false)
const One = z.object({ fields: Fields, typecast })
const Creation = z.union([
  z.object({
    records: z
      .array(z.object({ fields: Fields }))
      .min(1)
      .max(MOST),
    typecast,
  }),
  One,
])
const Updates = z.object({
  records: z
    .array(z.object({ id: z.string(), fields: Fields }))
    .min(1)
    .max(MOST),
  typecast,
})

export type ApiRequest = { method: string; path: string[]; search: URLSearchParams; body: unknown }

/** `/v0/{base}/{table}…`: what Airtable answers, or an ApiError. */
export function answer(
  { method, path, search, body }: ApiRequest,
  findTable: (base: string, table: string) => Table | undefined,
  list: ReturnType<typeof createListing>,
): unknown {
  const [base = '', name = '', id] = path
  const table = findTable(base, name)
  if (!table || path.length > 3) throw noSuchModel()
  if (id === 'listRecords' && method === 'POST') return list(table, parseQuery(body))
  return id === undefined ? many(table) : one(table, id)

  function many(table: Table): unknown {
    switch (method) {
      case 'GET':
        return list(table, queryOf(search))
      case 'POST': {
        const given = parse(Creation, body)
        if (!('records' in given)) {
          return table.create([given], given.typecast).map((record) => table.show(record))[0]
        }
        const added = table.create(given.records, given.typecast)
        return { records: added.map((record) => table.show(record)) }
      }
      case 'PATCH':
      case 'PUT': {
        const given = parse(Updates, body)
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
        if (ids.length === 0 || ids.length > MOST) throw invalidRequest()
        mustExist(table, ids)
        table.remove(ids)
        return { records: ids.map((gone) => ({ id: gone, deleted: true })) }
      }
      default:
        throw invalidRequest('unknown method')
    }
  }

  function one(table: Table, id: string): unknown {
    switch (method) {
      case 'GET':
        return table.show(table.get(id))
      case 'PATCH':
      case 'PUT': {
        const { fields, typecast } = parse(One, body)
        table.get(id)
        const [changed] = table.update([{ id, fields }], { replace: method === 'PUT', typecast })
        return changed && table.show(changed)
      }
      case 'DELETE':
        table.get(id)
        table.remove([id])
        return { id, deleted: true }
      default:
        throw invalidRequest('unknown method')
    }
  }
}

function mustExist(table: Table, ids: string[]): void {
  const present = new Set(table.records().map((record) => record.id))
  const missing = ids.find((id) => !present.has(id))
  if (missing !== undefined) throw unknownRow(missing)
}

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw invalidRequest('could not parse request body')
  return result.data
}
