import { z } from 'zod'
import type { FileColumn, FilePoint } from './lists.store.ts'
import type { StoredObject } from './objects.store.ts'
import { StorageError } from './storage-error.ts'

/** How far a list has come: among the folders, or among the files. */
export type ListCursor = { folder: string } | FilePoint

const Name = z.string().max(1024)
/** The database has no year 0. */
const Time = z.iso.datetime().refine((time) => !time.startsWith('0000'))
const Cursor = z.union([
  z.strictObject({ folder: Name }),
  z.strictObject({ at: Time.nullable(), name: Name }),
])

/** What the next page is asked for with. */
export function cursorText(cursor: ListCursor): string {
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** @throws StorageError `InvalidRequest` when it is not of a list sorted like this */
export function readCursor(text: string, column: FileColumn): ListCursor {
  const cursor = parsed(text)
  const isOther = cursor && 'at' in cursor && (cursor.at === null) !== (column === 'name')
  if (!cursor || isOther) {
    throw new StorageError('InvalidRequest', { message: 'The cursor is not valid' })
  }
  return cursor
}

export function pointOf(object: StoredObject, column: FileColumn): FilePoint {
  return { at: column === 'name' ? null : object[column], name: object.name }
}

function parsed(text: string): ListCursor | undefined {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    return undefined
  }
}
