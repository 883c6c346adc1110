import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import {
  invalidFormula,
  invalidOffset,
  invalidRequest,
  iteratorGone,
  unknownField,
} from './api-error.ts'
import { FormulaError, formulaFilter } from './formula.ts'
import type { StoredRecord } from './journal.ts'
import { type ApiRecord, compareValues, type Table } from './table.ts'

const ListQuery = z.object({
  pageSize: z.coerce.number().int().min(1).max(100).default(100),
  maxRecords: z.coerce.number().int().min(1).optional(),
  offset: z.string().optional(),
  fields: z.array(z.string()).optional(),
  'sort[0][field]': z.string().optional(),
  'sort[0][direction]': z.literal('asc').optional(),
  filterByFormula: z.string().optional(),
})
type ListQuery = z.infer<typeof ListQuery>

type Page = { records: ApiRecord[]; offset?: string }
type Iterator = { table: Table; ids: string[]; at: number; expires: number }

const OFFSET = /^itr\w+\/rec\w+$/

export type Listing = ReturnType<typeof createListing>

/** Lists with an iterator over a snapshot, which expires. */
export function createListing(options: { now: () => number; lifetimeMs: number }) {
  const iterators = new Map<string, Iterator>()

  function resume(table: Table, offset: string): Iterator {
    if (!OFFSET.test(offset)) throw invalidOffset(offset)
    const iterator = iterators.get(offset)
    iterators.delete(offset)
    if (!iterator || iterator.table !== table || iterator.expires < options.now()) {
      throw iteratorGone()
    }
    return iterator
  }

  function begin(table: Table, query: ListQuery): Iterator {
    for (const [offset, { expires }] of iterators) {
      if (expires < options.now()) iterators.delete(offset)
    }
    const ids = select(table, query).map((record) => record.id)
    return { table, ids: ids.slice(0, query.maxRecords), at: 0, expires: 0 }
  }

  return (table: Table, query: ListQuery): Page => {
    const unknown = query.fields?.find((name) => !table.knows(name))
    if (unknown !== undefined) throw unknownField(unknown)
    const { ids, at } = query.offset ? resume(table, query.offset) : begin(table, query)
    const end = at + query.pageSize
    const present = new Map(table.records().map((record) => [record.id, record]))
    const records = ids
      .slice(at, end)
      .flatMap((id) => present.get(id) ?? [])
      .map((record) => table.show(record, query.fields))
    if (end >= ids.length) return { records }
    const offset = `itr${randomBytes(10).toString('hex')}/${ids[end]}`
    iterators.set(offset, { table, ids, at: end, expires: options.now() + options.lifetimeMs })
    return { records, offset }
  }
}

function select(table: Table, query: ListQuery): StoredRecord[] {
  const filtered = query.filterByFormula
    ? table.records().filter(filter(table, query.filterByFormula))
    : table.records()
  const field = query['sort[0][field]']
  if (field === undefined) return filtered
  if (!table.knows(field)) throw unknownField(field)
  return filtered.toSorted((a, b) =>
    compareValues(table.row(a).cell(field), table.row(b).cell(field)),
  )
}

function filter(table: Table, formula: string): (record: StoredRecord) => boolean {
  try {
    const passes = formulaFilter(formula, table.knows)
    return (record) => passes(table.row(record))
  } catch (error) {
    if (error instanceof FormulaError) throw invalidFormula(error.message)
    throw error
  }
}

/** Parses `fields[]=a&sort[0][field]=b` into an object. */
export function queryOf(search: URLSearchParams): ListQuery {
  const fields = search.getAll('fields[]')
  const given = { ...Object.fromEntries(search), ...(fields.length > 0 && { fields }) }
  const query = ListQuery.safeParse(given)
  if (!query.success) throw invalidRequest('parameter validation failed')
  return query.data
}
