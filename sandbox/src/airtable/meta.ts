import { noSuchModel } from './api-error.ts'
import type { Bases, Field } from './schema.ts'

/** Airtable's names of the field types. */
const TYPES: Record<Field['kind'], string> = {
  text: 'singleLineText',
  longText: 'multilineText',
  number: 'number',
  phone: 'phoneNumber',
  url: 'url',
  date: 'date',
  dateTime: 'dateTime',
  formula: 'formula',
  attachments: 'multipleAttachments',
  autoNumber: 'autoNumber',
  createdTime: 'createdTime',
  lastModifiedTime: 'lastModifiedTime',
  singleSelect: 'singleSelect',
}

/** The response of `/v0/meta/bases`: all bases. */
export function listOf(bases: Bases): object {
  const ids = Object.keys(bases)
  return { bases: ids.map((id) => ({ id, name: `Base ${id}`, permissionLevel: 'create' })) }
}

/** The response of `/v0/meta/bases/{base}/tables`: the schemas of a base's tables. */
export function tablesOf(bases: Bases, base: string): object {
  const tables = Object.hasOwn(bases, base) ? bases[base] : undefined
  if (!tables) throw noSuchModel()
  return {
    tables: tables.map(({ id, name, fields }) => {
      const columns = Object.entries(fields).map(([column, { kind }], index) => ({
        id: `fld${id.slice(3)}${index}`,
        name: column,
        type: TYPES[kind],
      }))
      return { id, name, primaryFieldId: columns[0]?.id, fields: columns, views: [] }
    }),
  }
}
