import { z } from 'zod'
import { invalidRequest, noSuchModel } from './api-error.ts'
import { type Listing, queryOf } from './listing.ts'
import type { Table } from './table.ts'

const One = z.object({ fields: z.record(z.string(), z.unknown()) })

export type ApiRequest = { method: string; path: string[]; search: URLSearchParams; body: unknown }

/** Handles `/v0/{base}/{table}…`. Records are written one by one. @throws ApiError */
export function answer(
  { method, path, search, body }: ApiRequest,
  findTable: (base: string, table: string) => Table | undefined,
  list: Listing,
): unknown {
  const [base = '', name = '', id] = path
  const table = findTable(base, name)
  if (!table || path.length > 3) throw noSuchModel()
  if (id === undefined) {
    if (method === 'GET') return list(table, queryOf(search))
    if (method !== 'POST') throw invalidRequest('unknown method')
    return table.create([{ fields: fieldsOf(body) }]).map((record) => table.show(record))[0]
  }
  return one(method, table, id, body)
}

function one(method: string, table: Table, id: string, body: unknown): object {
  switch (method) {
    case 'GET':
      return table.show(table.get(id))
    case 'PATCH':
      return table.show(table.update(id, fieldsOf(body)))
    case 'DELETE':
      table.remove(id)
      return { id, deleted: true }
    default:
      throw invalidRequest('unknown method')
  }
}

function fieldsOf(body: unknown): Record<string, unknown> {
  const given = One.safeParse(body)
  if (!given.success) throw invalidRequest('could not parse request body')
  return given.data.fields
}
