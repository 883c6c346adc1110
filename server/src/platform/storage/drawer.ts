import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { LRUCache } from 'lru-cache'
import PQueue from 'p-queue'
import { violates } from '../../database/errors.ts'
import type { ByteRange, KeptFiles } from '../../ports/file-store.ts'
import type { Drawing, PictureMaker, PictureReason } from '../../ports/picture-maker.ts'
import type { Scratch } from '../scratch.ts'
import { drawingName } from './drawings.ts'
import type { DrawnFilesStore } from './drawn-files.store.ts'
import { folderOf, type StoredObject } from './objects.store.ts'
import type { Sendable } from './sending.ts'
import { StorageError } from './storage-error.ts'

/** Drawings of one object that are kept, and of one folder; any of them makes room for a new one. */
const MOST_KEPT = 50
const MOST_IN_FOLDER = 5_000

/** Bytes of an object that is drawn. */
const LARGEST = 25_000_000

/** Drawings that one folder has made at a time, so that others get their turn, and that wait for it. */
const AT_ONCE = 2
const MOST_WAITING = 64

const explained: Record<PictureReason, string> = {
  not_a_picture: 'The object is not a picture that can be drawn',
  too_wide: 'The picture is too large to be drawn',
  unreadable: 'The picture cannot be read',
}

export type Drawer = ReturnType<typeof createDrawer>

type Dependencies = {
  files: KeptFiles
  drawn: DrawnFilesStore
  pictures: Pick<PictureMaker, 'make'>
  scratch: Scratch
  log: { warn(details: object, message: string): void }
}

/** Pictures among the objects, drawn as somebody wants them: made once, and kept with the object's file. */
export function createDrawer({ files, drawn, pictures, scratch, log }: Dependencies) {
  /** Who asks for what is being drawn waits for that. */
  const underWay = new Map<string, Promise<void>>()
  const queues = new Map<string, PQueue>()
  /** Files that cannot be drawn stay so: they are not tried again and again. */
  const refused = new LRUCache<string, PictureReason>({ max: 1_000, ttl: 10 * 60_000 })

  /** @throws StorageError `SlowDown` */
  async function inTurn(folder: string, work: () => Promise<void>): Promise<void> {
    const queue = queues.get(folder) ?? new PQueue({ concurrency: AT_ONCE })
    if (queue.size >= MOST_WAITING) throw new StorageError('SlowDown')
    queues.set(folder, queue)
    try {
      await queue.add(work)
    } finally {
      if (queue.size === 0 && queue.pending === 0) queues.delete(folder)
    }
  }

  async function draw(object: StoredObject, drawing: Drawing, key: string): Promise<void> {
    await using from = await scratch.file()
    await using to = await scratch.file()
    // Nothing that may fail between the two: what was opened must be taken.
    const original = await files.open(object.file_key)
    if (!original) throw new StorageError('NoSuchKey')
    await pipeline(original.stream, createWriteStream(from.path, { mode: 0o600 }))
    const made = await pictures
      // Whoever may see it can ask for sizes without end: they do not go before what others have sent.
      .make(from.path, to.path, drawing, { urgency: 'sending' })
      .catch((error: unknown) => {
        log.warn({ err: error, object: object.id }, 'an object was not drawn')
        throw new StorageError('SlowDown', { cause: error })
      })
    if (typeof made === 'string') {
      refused.set(object.file_key, made)
      throw notDrawn(made)
    }
    await makeRoom(object)
    await files
      .put(key, { path: to.path }, typeOf(drawing), object.file_key)
      .catch((error: unknown) => {
        // It was removed, or replaced, while it was drawn.
        if (violates(error, 'stored_files_drawn_from_fkey')) throw new StorageError('NoSuchKey')
        throw error
      })
  }

  function begin(object: StoredObject, drawing: Drawing, key: string): Promise<void> {
    const work = inTurn(folderOf(object.name), () => draw(object, drawing, key)).finally(() =>
      underWay.delete(key),
    )
    underWay.set(key, work)
    return work
  }

  async function makeRoom({ file_key, name }: StoredObject): Promise<void> {
    const surplus = [
      ...(await drawn.ofFile(file_key, { spared: MOST_KEPT - 1, most: AT_ONCE })),
      // They are beside its quota, and of a public bucket anybody has them made.
      ...(await drawn.ofFolder(folderOf(name), { spared: MOST_IN_FOLDER - 1, most: AT_ONCE })),
    ]
    for (const key of surplus) await files.remove(key)
  }

  async function purge(next: () => Promise<string[]>): Promise<void> {
    for (let keys = await next(); keys.length > 0; keys = await next()) {
      for (const key of keys) await files.remove(key)
    }
  }

  return {
    /**
     * Opens it, or a part of it; it is drawn first if it is not there.
     *
     * @throws StorageError `InvalidRequest` for what is no picture, `SlowDown`; `NoSuchKey` when the object
     *   is gone meanwhile
     */
    async open(object: StoredObject, drawing: Drawing, range?: ByteRange) {
      const key = drawnKey(object, drawing)
      const kept = await files.open(key, range)
      if (kept) return kept
      const reason = refused.get(object.file_key) ?? unfit(object)
      if (reason) throw notDrawn(reason)
      await (underWay.get(key) ?? begin(object, drawing, key))
      return files.open(key, range)
    },

    /** Removes what was drawn of an object. */
    purgeObject: (object: Pick<StoredObject, 'file_key'>) =>
      purge(() => drawn.ofFile(object.file_key, { most: MOST_KEPT })),
    /** Removes what was drawn of all objects of a bucket. */
    purgeBucket: (bucket: string) => purge(() => drawn.ofBucket(bucket, MOST_KEPT)),
  }
}

/** What is sent in the place of an object, the drawing of it. */
export function drawnFile(object: StoredObject, drawing: Drawing): Sendable {
  const ending = drawing.format === 'jpeg' ? 'jpg' : drawing.format
  return {
    name: `${object.name.replace(/\.[^./]*$/, '')}.${ending}`,
    file_key: drawnKey(object, drawing),
    content_type: typeOf(drawing),
    cache_control: object.cache_control,
    content_encoding: null,
    etag: `"${object.version}-${drawingName(drawing)}"`,
    updated_at: object.updated_at,
  }
}

const drawnKey = ({ file_key }: StoredObject, drawing: Drawing) =>
  `drawn/${file_key.slice(file_key.lastIndexOf('/') + 1)}/${drawingName(drawing)}`

const typeOf = ({ format }: Drawing) => `image/${format}`

/** What need not be opened to be refused. */
function unfit({ content_type, size }: StoredObject): PictureReason | undefined {
  if (!content_type.startsWith('image/')) return 'not_a_picture'
  return size > LARGEST ? 'too_wide' : undefined
}

function notDrawn(reason: PictureReason): StorageError {
  return new StorageError('InvalidRequest', { message: explained[reason] })
}
