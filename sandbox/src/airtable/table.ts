import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { invalidValue, notFound, unknownField, unknownOption } from './api-error.ts'
import type { Row, Value } from './formula.ts'
import type { Change, StoredRecord } from './journal.ts'
import { type Field, isComputed, type TableSchema } from './schema.ts'

export type Cells = Record<string, unknown>

/** A record in the API's format. */
export type ApiRecord = { id: string; createdTime: string; fields: Cells }

export type Table = ReturnType<typeof createTable>

/** One table of a base: its records, and the validation of its columns. */
export function createTable(
  key: string,
  schema: TableSchema,
  options: {
    now: () => number
    keep: (changes: Change[]) => void
    shown: (field: Field | undefined, value: unknown) => unknown
  },
) {
  const records = new Map<string, StoredRecord>()
  let numbered = 0

  function cell(record: StoredRecord, name: string): unknown {
    const kind = schema.fields[name]?.kind
    if (kind === 'autoNumber') return record.number
    if (kind === 'createdTime') return new Date(record.createdTime).toISOString()
    if (kind === 'lastModifiedTime') return new Date(record.modifiedTime).toISOString()
    return options.shown(schema.fields[name], record.cells[name])
  }

  function get(id: string): StoredRecord {
    const record = records.get(id)
    if (!record) throw notFound()
    return record
  }

  const table = {
    schema,
    knows: (name: string) => Object.hasOwn(schema.fields, name),
    has: (id: string) => records.has(id),
    records: () => [...records.values()],
    get,

    /** Applies a change from the journal. */
    restore(change: Change) {
      if (change.gone) records.delete(change.gone)
      if (change.record) records.set(change.record.id, change.record)
      numbered = Math.max(numbered, change.numbered ?? 0, change.record?.number ?? 0)
    },

    /** The record in the API's format, without empty fields. */
    show(record: StoredRecord, only?: readonly string[]): ApiRecord {
      const fields: Cells = {}
      for (const name of only ?? Object.keys(schema.fields)) {
        const value = cell(record, name)
        if (!isEmpty(value)) fields[name] = value
      }
      return { id: record.id, createdTime: new Date(record.createdTime).toISOString(), fields }
    },

    /** The record for formulas. */
    row(record: StoredRecord): Row {
      return {
        id: record.id,
        createdTime: record.createdTime,
        cell: (name) => asValue(cell(record, name), schema.fields[name]),
      }
    },

    /** Creates all of the records or none. `createdTime` is for seeding: clients cannot set it. */
    create(all: { fields: Cells; createdTime?: number | undefined }[]): StoredRecord[] {
      const added = all.map(({ fields, createdTime = options.now() }, index) => ({
        id: `rec${randomId()}`,
        number: numbered + index + 1,
        createdTime,
        modifiedTime: createdTime,
        cells: checked(schema, fields),
      }))
      save(added)
      numbered += added.length
      return added
    },

    /** Merges the fields into those of the record. */
    update(id: string, fields: Cells): StoredRecord {
      const record = get(id)
      const cells = { ...record.cells, ...checked(schema, fields) }
      const changed = { ...record, modifiedTime: options.now(), cells }
      save([changed])
      return changed
    },

    remove(id: string): void {
      get(id)
      options.keep([{ table: key, gone: id }])
      records.delete(id)
    },
  }

  /** Journaled first: an acknowledged change is on the disk. */
  function save(changed: StoredRecord[]) {
    options.keep(changed.map((record) => ({ table: key, record })))
    for (const record of changed) records.set(record.id, record)
  }

  return table
}

function checked(schema: TableSchema, fields: Cells): Cells {
  for (const [name, value] of Object.entries(fields)) {
    const field = Object.hasOwn(schema.fields, name) ? schema.fields[name] : undefined
    if (!field) throw unknownField(name)
    if (isComputed(field))
      throw invalidValue(name, 'cannot accept a value because the field is computed')
    checkValue(name, field, value)
  }
  return fields
}

function checkValue(name: string, field: Field, value: unknown): void {
  if (value === null || field.kind === 'formula') return
  if (field.kind === 'attachments') {
    if (!Array.isArray(value)) throw invalidValue(name)
    return
  }
  if (field.kind === 'number') {
    if (typeof value !== 'number') throw invalidValue(name)
    return
  }
  if (typeof value !== 'string') throw invalidValue(name)
  const times = { date: z.iso.date(), dateTime: z.iso.datetime({ offset: true }) }
  if (field.kind === 'date' || field.kind === 'dateTime') {
    if (!times[field.kind].safeParse(value).success) throw invalidValue(name)
    return
  }
  const isKnown = field.kind !== 'singleSelect' || field.options.includes(value)
  if (!isKnown) throw unknownOption(value)
}

function isEmpty(value: unknown): boolean {
  const isNothing = value === undefined || value === null || value === ''
  return isNothing || (Array.isArray(value) && value.length === 0)
}

function asValue(value: unknown, field: Field | undefined): Value {
  if (typeof value === 'string' && field && field.kind.endsWith('Time')) {
    return { moment: Date.parse(value) }
  }
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  return null
}

/** For sorting: empty cells first, dates by time, numbers and texts in their own order. */
export function compareValues(left: Value, right: Value): number {
  const plain = (value: Value) =>
    typeof value === 'object' && value !== null ? value.moment : value
  const [a, b] = [plain(left), plain(right)]
  if (a === b) return 0
  if (a === null || b === null) return a === null ? -1 : 1
  return a < b ? -1 : 1
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Fourteen letters and digits. */
function randomId(): string {
  return [...randomBytes(14)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
}
