import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { KeptFiles } from '../../ports/file-store.ts'
import type { Scratch } from '../scratch.ts'
import { canRead, type Holder, mustReach, reaches } from './access.ts'
import type { Bucket, BucketsStore } from './buckets.store.ts'
import { isAllowed, typeOf } from './content-types.ts'
import type { Place } from './names.ts'
import type { NewContent, ObjectsStore, StoredObject, Where } from './objects.store.ts'
import { StorageError } from './storage-error.ts'
import type { RemoveUnused } from './unused-files.ts'
import { turnsOf, type UploadTurns } from './upload-turns.ts'
import { leastBytes, receiveUpload } from './uploads.ts'

type Dependencies = {
  store: ObjectsStore
  buckets: Pick<BucketsStore, 'find'>
  files: KeptFiles
  removeUnused: RemoveUnused
  scratch: Pick<Scratch, 'file'>
  turns: UploadTurns
  /** Bytes of an object, unless its bucket takes fewer. */
  mostBytes: number
}

export type Objects = ReturnType<typeof createObjects>

/** Objects in buckets. What is not the caller's is as if it were not there, and is not even looked for. */
export function createObjects(dependencies: Dependencies) {
  const { store, files, removeUnused, scratch, turns, mostBytes } = dependencies

  async function bucketOf({ bucket }: Place): Promise<Bucket> {
    const found = await dependencies.buckets.find(bucket)
    if (!found) throw new StorageError('NoSuchBucket')
    return found
  }

  function most(bucket: Bucket): number {
    return Math.min(bucket.file_size_limit ?? mostBytes, mostBytes)
  }

  /** @throws StorageError when the bucket does not take it */
  function check(bucket: Bucket, { size, content_type: type }: NewContent | StoredObject) {
    if (size > most(bucket)) throw new StorageError('EntityTooLarge')
    if (isAllowed(type, bucket.allowed_mime_types)) return
    const message = `mime type ${typeOf(type)} is not supported`
    throw new StorageError('InvalidMimeType', { message })
  }

  /** What can be told before anything is read: it saves everybody the sending. */
  async function foresee(place: Place, bucket: Bucket, bytes: number, where: Where) {
    if (bytes > most(bucket)) throw new StorageError('EntityTooLarge')
    const before = await store.find(place)
    if (before && where === 'empty') throw new StorageError('KeyAlreadyExists')
    await store.mustFit(place.name, bytes, before)
  }

  /** Keeps a file as an object. The file is there before the row is, and goes if the row cannot be. */
  async function keep(
    place: Place,
    path: string,
    content: Omit<NewContent, 'file_key'>,
    where: Where,
  ): Promise<StoredObject> {
    const key = `objects/${randomUUID()}`
    try {
      await files.put(key, { path }, content.content_type)
      const { object, replaced } = await store.put(place, { ...content, file_key: key }, where)
      if (replaced !== undefined) await removeUnused([replaced])
      return object
    } catch (error) {
      await removeUnused([key])
      throw error
    }
  }

  async function own(holder: Holder | undefined, place: Place): Promise<StoredObject> {
    const found = reaches(holder, place.name) ? await store.find(place) : undefined
    if (!found) throw new StorageError('NoSuchKey')
    return found
  }

  return {
    /**
     * An object that the caller may read.
     * @throws StorageError `NoSuchBucket`, `NoSuchKey`
     */
    async readable(holder: Holder | undefined, place: Place) {
      const bucket = await dependencies.buckets.find(place.bucket)
      if (!bucket && holder?.all) throw new StorageError('NoSuchBucket')
      const isOpen = bucket !== undefined && canRead(holder, bucket, place.name)
      const object = isOpen ? await store.find(place) : undefined
      if (!object) throw new StorageError('NoSuchKey')
      return { object, isPublic: bucket?.public === true }
    },

    /**
     * Takes an upload. Of one that is refused nothing is read.
     *
     * @param options `whose`: whose turn it takes; the holder's own, unless it is said
     * @throws StorageError for whatever is wrong with it
     */
    async upload(
      holder: Holder | undefined,
      place: Place,
      body: IncomingMessage,
      options: { where: Where; whose?: string },
    ): Promise<StoredObject> {
      mustReach(holder, place.name)
      const bucket = await bucketOf(place)
      const { where, whose = turnsOf(holder) } = options
      return turns(whose, async () => {
        await foresee(place, bucket, leastBytes(body), where)
        await using file = await scratch.file()
        const received = await receiveUpload(body, file.path, most(bucket))
        const content = { ...received, owner: holder.userId }
        check(bucket, { ...content, file_key: '' })
        return await keep(place, file.path, content, where)
      })
    },

    /** @throws StorageError `NoSuchKey`, `KeyAlreadyExists` and what an upload there would be refused for */
    async move(holder: Holder | undefined, from: Place, to: Place): Promise<StoredObject> {
      mustReach(holder, to.name)
      const object = await own(holder, from)
      const bucket = await bucketOf(to)
      if (from.bucket === to.bucket && from.name === to.name) {
        throw new StorageError('KeyAlreadyExists')
      }
      check(bucket, object)
      const moved = await store.move(from, to)
      if (!moved) throw new StorageError('NoSuchKey')
      return moved
    },

    /** The same, but the other stays. `changes`: what is not to be as it was. */
    async copy(
      holder: Holder | undefined,
      from: Place,
      to: Place,
      options: { where: Where; changes: Partial<Pick<NewContent, 'metadata'>> },
    ): Promise<StoredObject> {
      mustReach(holder, to.name)
      const object = await own(holder, from)
      const bucket = await bucketOf(to)
      check(bucket, object)
      const { where, changes } = options
      const { size, content_type, cache_control, content_encoding, etag, metadata } = object
      const content = { size, content_type, cache_control, content_encoding, etag, metadata }
      return turns(turnsOf(holder), async () => {
        await foresee(to, bucket, size, where)
        const opened = await files.open(object.file_key)
        if (!opened) throw new StorageError('NoSuchKey')
        await using file = await scratch.file()
        await pipeline(opened.stream, createWriteStream(file.path, { flags: 'wx', mode: 0o600 }))
        const { userId: owner } = holder
        return await keep(to, file.path, { ...content, ...changes, owner }, where)
      })
    },

    /** @returns those that were there, and theirs */
    async remove(
      holder: Holder | undefined,
      bucket: string,
      names: readonly string[],
    ): Promise<StoredObject[]> {
      const reached = names.filter((name) => reaches(holder, name))
      if (reached.length === 0) return []
      const removed = await store.remove(bucket, reached)
      await removeUnused(removed.map((object) => object.file_key))
      return removed
    },
  }
}
