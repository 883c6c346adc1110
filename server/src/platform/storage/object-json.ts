import type { StoredObject } from './objects.store.ts'

/** What the clients know of a file. */
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

/** In a list of a folder, by the last of its names. */
export function listedJson(object: StoredObject, name: string) {
  const { id, updated_at, created_at, last_accessed_at } = object
  return { name, id, updated_at, created_at, last_accessed_at, metadata: fileOf(object) }
}

/** In a list of all, by its whole name. */
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

/** As it is told of when it is removed. */
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
    updated_at: object.updated_at,
  }
}
