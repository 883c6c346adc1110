import { createWriteStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { violatesConstraint } from '../../database/errors.ts'
import type { ByteRange, StoredFiles } from '../../ports/file-store.ts'
import type { Log } from '../../ports/log.ts'
import type { PictureRejection, PictureRenderer, Rendition } from '../../ports/picture-renderer.ts'
import { createBoundedQueue } from '../bounded-queue.ts'
import { createCache, createSingleFlight } from '../cache.ts'
import type { TemporaryFiles } from '../temporary-files.ts'
import { signatureType, UNKNOWN_TYPE } from './content-types.ts'
import { folderOf, type StoredObject } from './objects.store.ts'
import { type RenderedFilesStore, renditionName } from './renditions.ts'
import type { Sendable } from './send-file.ts'
import { StorageError } from './storage-error.ts'

/** The maximum number of stored renditions per object, and per folder. A new one replaces another. */
const MAX_KEPT = 50
const MAX_IN_FOLDER = 5_000

/** The maximum size of a rendered object, in bytes. */
const MAX_SOURCE_BYTES = 25_000_000

/** The bytes that the package `file-type` needs to recognize any signature. */
const SIGNATURE_BYTES = 4100

/**
 * Concurrent renderings per folder, so that no folder occupies the renderer, and the length of a folder's
 * queue.
 */
const CONCURRENCY = 2
const MAX_WAITING = 64

const explained: Record<PictureRejection, string> = {
  not_a_picture: 'The object is not a picture that can be drawn',
  too_wide: 'The picture is too large to be drawn',
  unreadable: 'The picture cannot be read',
}

export type Renderer = ReturnType<typeof createRenderer>

type Dependencies = {
  files: StoredFiles
  renditions: RenderedFilesStore
  pictures: Pick<PictureRenderer, 'render'>
  temporaryFiles: TemporaryFiles
  log: Pick<Log, 'warn'>
}

/** Renders objects that are pictures. Each rendition is made once, and stored with the object's file. */
export function createRenderer({ files, renditions, pictures, temporaryFiles, log }: Dependencies) {
  const renderings = createSingleFlight<void>()
  const inTurn = createBoundedQueue({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    refusal: () => new StorageError('SlowDown'),
  })
  /** Files that cannot be rendered, so that they are not tried again. */
  const refused = createCache<PictureRejection>({ max: 1_000, ttlMs: 10 * 60_000 })

  async function detectType({ file_key, size }: StoredObject): Promise<string> {
    if (size === 0) return UNKNOWN_TYPE
    const end = Math.min(size, SIGNATURE_BYTES) - 1
    const opened = await files.open(file_key, { start: 0, end })
    if (!opened) throw new StorageError('NoSuchKey')
    return signatureType(await buffer(opened.stream))
  }

  /** The declared content type of a picture; for another declared type, the type by the first bytes. */
  async function pictureType(object: StoredObject): Promise<string> {
    const { content_type } = object
    return content_type.startsWith('image/') ? content_type : detectType(object)
  }

  async function render(object: StoredObject, rendition: Rendition, key: string): Promise<void> {
    await using from = await temporaryFiles.create()
    await using to = await temporaryFiles.create()
    // Nothing between the two lines may fail: an opened stream must be consumed.
    const original = await files.open(object.file_key)
    if (!original) throw new StorageError('NoSuchKey')
    await pipeline(original.stream, createWriteStream(from.path, { mode: 0o600 }))
    const made = await pictures
      // Everybody with access can request any number of sizes, so they have a lower priority than uploads.
      .render(from.path, to.path, rendition, { priority: 'normal' })
      .catch((error: unknown) => {
        log.warn({ err: error, object: object.id }, 'an object was not drawn')
        throw new StorageError('SlowDown', { cause: error })
      })
    if (typeof made === 'string') {
      refused.set(object.file_key, made)
      throw notRendered(made)
    }
    await makeRoom(object)
    await files
      .put(key, { path: to.path }, contentTypeOf(rendition), object.file_key)
      .catch((error: unknown) => {
        // The object was removed or replaced meanwhile.
        if (violatesConstraint(error, 'stored_files_drawn_from_fkey')) {
          throw new StorageError('NoSuchKey')
        }
        throw error
      })
  }

  async function makeRoom({ file_key, name }: StoredObject): Promise<void> {
    const surplus = [
      ...(await renditions.ofFile(file_key, { skip: MAX_KEPT - 1, limit: CONCURRENCY })),
      // Renditions do not count against the quota, and those of a public bucket need no session.
      ...(await renditions.ofFolder(folderOf(name), {
        skip: MAX_IN_FOLDER - 1,
        limit: CONCURRENCY,
      })),
    ]
    for (const key of surplus) await files.remove(key)
  }

  async function purge(next: () => Promise<string[]>): Promise<void> {
    for (let keys = await next(); keys.length > 0; keys = await next()) {
      for (const key of keys) await files.remove(key)
    }
  }

  return {
    pictureType,

    /**
     * Opens a rendition or a part of it, and renders it first if necessary.
     *
     * @throws StorageError `InvalidRequest` when it is not a picture, `SlowDown`; `NoSuchKey` when the object
     *   was removed meanwhile
     */
    async open(object: StoredObject, rendition: Rendition, range?: ByteRange) {
      const key = renditionKey(object, rendition)
      const kept = await files.open(key, range)
      if (kept) return kept
      const reason = refused.get(object.file_key) ?? rejectionOf(object, await pictureType(object))
      if (reason) {
        refused.set(object.file_key, reason)
        throw notRendered(reason)
      }
      await renderings.run(key, () =>
        inTurn(() => render(object, rendition, key), { key: folderOf(object.name) }),
      )
      return files.open(key, range)
    },

    /** Removes the renditions of an object. */
    purgeObject: (object: Pick<StoredObject, 'file_key'>) =>
      purge(() => renditions.ofFile(object.file_key, { limit: MAX_KEPT })),
    /** Removes the renditions of all objects in a bucket. */
    purgeBucket: (bucket: string) => purge(() => renditions.ofBucket(bucket, MAX_KEPT)),
  }
}

/** A rendition as a file to send, in the place of its object. */
export function renditionFile(object: StoredObject, rendition: Rendition): Sendable {
  const ending = rendition.format === 'jpeg' ? 'jpg' : rendition.format
  return {
    name: `${object.name.replace(/\.[^./]*$/, '')}.${ending}`,
    file_key: renditionKey(object, rendition),
    content_type: contentTypeOf(rendition),
    cache_control: object.cache_control,
    content_encoding: null,
    etag: `"${object.version}-${renditionName(rendition)}"`,
    updated_at: object.updated_at,
  }
}

const renditionKey = ({ file_key }: StoredObject, rendition: Rendition) =>
  `drawn/${file_key.slice(file_key.lastIndexOf('/') + 1)}/${renditionName(rendition)}`

const contentTypeOf = ({ format }: Rendition) => `image/${format}`

/** The reason to reject an object without decoding it. @param type by `pictureType` */
function rejectionOf({ size }: StoredObject, type: string): PictureRejection | undefined {
  if (!type.startsWith('image/')) return 'not_a_picture'
  return size > MAX_SOURCE_BYTES ? 'too_wide' : undefined
}

function notRendered(reason: PictureRejection): StorageError {
  return new StorageError('InvalidRequest', { message: explained[reason] })
}
