import { z } from 'zod'
import type { FileColumn, FilePosition } from './lists.store.ts'
import type { StoredObject } from './objects.store.ts'
import { StorageError } from './storage-error.ts'

/** Bytes of JSON. Metadata is stored in the database and does not count against the quota. */
export const MAX_METADATA = 8 * 1024

/** A client's own metadata of a file. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA)

/** A file's metadata in the protocol's format. */
function fileOf(object: StoredObject) {
  return {
    eTag: object.etag,
    size: object.size,
    mimetype: object.content_type,
    cacheControl: object.cache_control,
    lastModified: object.updated_at,
    contentLength: object.size,
    httpStatusCode: 200,
  }
}

/** An entry in the list of a folder, with its base name. */
export function listedJson(object: StoredObject, name: string) {
  const { id, updated_at, created_at, last_accessed_at } = object
  return { name, id, updated_at, created_at, last_accessed_at, metadata: fileOf(object) }
}

/** An entry of list-v2, with its full name. */
export function keyedJson(object: StoredObject) {
  return { ...listedJson(object, object.name), key: object.name }
}

/** A folder in the list of a folder. */
export function folderJson(name: string) {
  return {
    name,
    id: null,
    updated_at: null,
    created_at: null,
    last_accessed_at: null,
    metadata: null,
  }
}

/** A removed object, as the response of a removal lists it. */
export function removedJson(object: StoredObject) {
  const { bucket_id, version, owner, metadata } = object
  return {
    ...listedJson(object, object.name),
    bucket_id,
    version,
    owner: owner ?? '',
    owner_id: owner ?? '',
    user_metadata: metadata ?? {},
  }
}

export function infoJson(object: StoredObject) {
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: object.size,
    content_type: object.content_type,
    cache_control: object.cache_control,
    etag: object.etag,
    metadata: object.metadata ?? {},
    last_modified: object.updated_at,
    created_at: object.created_at,
  }
}

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
