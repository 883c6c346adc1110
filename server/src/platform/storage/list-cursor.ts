import { z } from 'zod'
import type { FileColumn, FilePosition } from './lists.store.ts'
import type { StoredObject } from './objects.store.ts'
import { StorageError } from './storage-error.ts'

/** The last entry of a page: a folder, or a file. */
export type ListCursor = { folder: string } | FilePosition

const Name = z.string().max(1024)
/** PostgreSQL has no year 0. */
const Time = z.iso.datetime().refine((time) => !time.startsWith('0000'))
const Cursor = z.union([
  z.strictObject({ folder: Name }),
  z.strictObject({ at: Time.nullable(), name: Name }),
])

/** The opaque cursor of the next page. */
export function serializeCursor(cursor: ListCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** @throws StorageError `InvalidRequest` when it is malformed, or of a list sorted by another column */
export function parseCursor(text: string, column: FileColumn): ListCursor {
  const cursor = parsed(text)
  const isOther = cursor && 'at' in cursor && (cursor.at === null) !== (column === 'name')
  if (!cursor || isOther) {
    throw new StorageError('InvalidRequest', { message: 'The cursor is not valid' })
  }
  return cursor
}

export function positionOf(object: StoredObject, column: FileColumn): FilePosition {
  return { at: column === 'name' ? null : object[column], name: object.name }
}

function parsed(text: string): ListCursor | undefined {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return undefined
  }
}
