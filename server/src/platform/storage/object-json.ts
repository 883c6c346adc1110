import type { StoredObject } from './objects.store.ts'

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
