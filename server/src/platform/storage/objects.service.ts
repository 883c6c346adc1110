import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { StoredFiles } from '../../ports/file-store.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import type { Bucket, BucketsStore } from './buckets.store.ts'
import { isAllowed, mediaTypeOf } from './content-types.ts'
import type { ObjectLocation } from './names.ts'
import type { NewContent, ObjectsStore, StoredObject, WriteMode } from './objects.store.ts'
import { canAccess, type Principal, requireAccess } from './principals.ts'
import { StorageError } from './storage-error.ts'
import { minFileBytes, queueKeyOf, receiveUpload, type UploadQueue } from './uploads.ts'

type Dependencies = {
  store: ObjectsStore
  buckets: Pick<BucketsStore, 'find'>
  files: StoredFiles
  removeUnused(keys: readonly string[]): Promise<void>
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  uploadQueue: UploadQueue
  /** The maximum size of an object in bytes. A bucket may have a lower one. */
  maxBytes: number
}

/** Objects in buckets. Objects outside the caller's folder are treated as missing, without a query. */
export function createObjects(dependencies: Dependencies) {
  const { store, files, removeUnused, temporaryFiles, uploadQueue, maxBytes } = dependencies

  async function bucketOf({ bucket }: ObjectLocation): Promise<Bucket> {
    const found = await dependencies.buckets.find(bucket)
    if (!found) throw new StorageError('NoSuchBucket')
    return found
  }

  function maxBytesIn(bucket: Bucket): number {
    return Math.min(bucket.file_size_limit ?? maxBytes, maxBytes)
  }

  /** @throws StorageError when the bucket does not allow the size or the type */
  function check(bucket: Bucket, { size, content_type: type }: NewContent | StoredObject) {
    if (size > maxBytesIn(bucket)) throw new StorageError('EntityTooLarge')
    if (isAllowed(type, bucket.allowed_mime_types)) return
    const message = `mime type ${mediaTypeOf(type)} is not supported`
    throw new StorageError('InvalidMimeType', { message })
  }

  /** Checks that need no content, so that a refused upload is not sent in full. */
  async function precheck(
    location: ObjectLocation,
    bucket: Bucket,
    bytes: number,
    mode: WriteMode,
  ) {
    if (bytes > maxBytesIn(bucket)) throw new StorageError('EntityTooLarge')
    const before = await store.find(location)
    if (before && mode === 'insert') throw new StorageError('KeyAlreadyExists')
    await store.checkQuota(location.name, bytes, before)
  }

  /** Stores a file as an object. The file is written before the row, and removed when the row cannot be written. */
  async function storeFile(
    location: ObjectLocation,
    path: string,
    content: Omit<NewContent, 'file_key'>,
    mode: WriteMode,
  ): Promise<StoredObject> {
    const key = `objects/${randomUUID()}`
    try {
      await files.put(key, { path }, content.content_type)
      const { object, replaced } = await store.put(location, { ...content, file_key: key }, mode)
      if (replaced !== undefined) await removeUnused([replaced])
      return object
    } catch (error) {
      await removeUnused([key])
      throw error
    }
  }

  async function requireOwn(
    principal: Principal | undefined,
    location: ObjectLocation,
  ): Promise<StoredObject> {
    const found = canAccess(principal, location.name) ? await store.find(location) : undefined
    if (!found) throw new StorageError('NoSuchKey')
    return found
  }

  return {
    /** An object that the caller may read. @throws StorageError `NoSuchBucket`, `NoSuchKey` */
    async findReadable(principal: Principal | undefined, location: ObjectLocation) {
      const bucket = await dependencies.buckets.find(location.bucket)
      if (!bucket && principal?.isAdmin) throw new StorageError('NoSuchBucket')
      const isOpen = bucket?.public === true || canAccess(principal, location.name)
      const object = bucket && isOpen ? await store.find(location) : undefined
      if (!object) throw new StorageError('NoSuchKey')
      return { object, isPublic: bucket?.public === true }
    },

    /**
     * Receives an upload. The body of a refused upload is not read.
     *
     * @param options `queueKey`: the upload queue; the principal's own by default
     * @throws StorageError
     */
    async upload(
      principal: Principal | undefined,
      location: ObjectLocation,
      body: IncomingMessage,
      options: { mode: WriteMode; queueKey?: string },
    ): Promise<StoredObject> {
      requireAccess(principal, location.name)
      const bucket = await bucketOf(location)
      const { mode, queueKey = queueKeyOf(principal) } = options
      return uploadQueue(queueKey, async () => {
        await precheck(location, bucket, minFileBytes(body), mode)
        await using file = await temporaryFiles.create()
        const received = await receiveUpload(body, file.path, maxBytesIn(bucket))
        const content = { ...received, owner: principal.userId }
        check(bucket, { ...content, file_key: '' })
        return await storeFile(location, file.path, content, mode)
      })
    },

    /** Renames an object. @throws StorageError `NoSuchKey`, `KeyAlreadyExists`, and as for an upload */
    async move(
      principal: Principal | undefined,
      from: ObjectLocation,
      to: ObjectLocation,
    ): Promise<StoredObject> {
      requireAccess(principal, to.name)
      const object = await requireOwn(principal, from)
      const bucket = await bucketOf(to)
      if (from.bucket === to.bucket && from.name === to.name) {
        throw new StorageError('KeyAlreadyExists')
      }
      check(bucket, object)
      return store.move(from, to)
    },

    /** Copies an object. `changes` replace properties of the copy. */
    async copy(
      principal: Principal | undefined,
      from: ObjectLocation,
      to: ObjectLocation,
      options: { mode: WriteMode; changes: Partial<Pick<NewContent, 'metadata'>> },
    ): Promise<StoredObject> {
      requireAccess(principal, to.name)
      const object = await requireOwn(principal, from)
      const bucket = await bucketOf(to)
      check(bucket, object)
      const { mode, changes } = options
      const { size, content_type, cache_control, content_encoding, etag, metadata } = object
      const content = { size, content_type, cache_control, content_encoding, etag, metadata }
      return uploadQueue(queueKeyOf(principal), async () => {
        await precheck(to, bucket, size, mode)
        const opened = await files.open(object.file_key)
        if (!opened) throw new StorageError('NoSuchKey')
        await using file = await temporaryFiles.create()
        await pipeline(opened.stream, createWriteStream(file.path, { flags: 'wx', mode: 0o600 }))
        const { userId: owner } = principal
        return await storeFile(to, file.path, { ...content, ...changes, owner }, mode)
      })
    },

    /** @returns the removed objects; names that are missing or not accessible are ignored */
    async remove(
      principal: Principal | undefined,
      bucket: string,
      names: readonly string[],
    ): Promise<StoredObject[]> {
      const reached = names.filter((name) => canAccess(principal, name))
      if (reached.length === 0) return []
      const removed = await store.remove(bucket, reached)
      await removeUnused(removed.map((object) => object.file_key))
      return removed
    },
  }
}
