import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Tasks } from '../../../platform/jobs.ts'
import type { TemporaryFiles } from '../../../platform/temporary-files.ts'
import type { FileStore } from '../../../ports/file-store.ts'
import type { Log } from '../../../ports/log.ts'
import { type OrderSource, SourceError, type SourceImage } from '../../../ports/order-source.ts'
import { type Outbound, OutboundError } from '../../../ports/outbound.ts'
import type { PictureRenderer } from '../../../ports/picture-renderer.ts'
import type { OrderImageFilesStore } from '../records/order-image-files.store.ts'
import {
  classifyStatus,
  fileType,
  type ImageReason,
  isPdf,
  MAX_BYTES,
  MAX_TRIES,
  STORED_FORMAT,
} from './order-images.rules.ts'
import type {
  Attachment,
  AttachmentOrigin,
  OrderImagesStore,
  PendingImage,
  StoredFile,
} from './order-images.store.ts'

type Dependencies = {
  store: OrderImagesStore
  source: Pick<OrderSource, 'readOrder'> | null
  host: FileStore
  outbound: Outbound
  pictures: Pick<PictureRenderer, 'render'>
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  log: Pick<Log, 'info' | 'warn'>
  /** Timeout of a download. */
  timeLimitMs?: number
}

export type OrderImages = ReturnType<typeof createOrderImages>

/** An attachment to be served: its file, or the URL where it is now. */
export type FoundAttachment = { file: StoredFile } | { url: string }

/** Stores copies of the orders' attachments, because the source's URLs expire after hours. */
export function createOrderImages(dependencies: Dependencies) {
  const { store, source, host, outbound, pictures, temporaryFiles, log } = dependencies
  const { timeLimitMs = 30_000 } = dependencies

  async function download(url: string, signal?: AbortSignal) {
    try {
      const reply = await outbound.fetch(url, {
        headers: { accept: '*/*' },
        timeLimitMs,
        sizeLimit: MAX_BYTES,
        redirects: 3,
        signal,
      })
      const found = classifyStatus(reply.status)
      if (found === 'later')
        throw new Error(`the address of an attachment answered ${reply.status}`)
      if (found !== 'there') return found
      return { bytes: reply.body, type: reply.headers['content-type'] }
    } catch (error) {
      const kind = error instanceof OutboundError ? error.kind : undefined
      if (kind === 'forbidden' || kind === 'too_large') return kind
      if (kind === 'status') return 'no_answer'
      throw error
    }
  }

  /** The source's current URL of an attachment; undefined when it does not have it any more. */
  async function renewedUrl(
    { location, recordId }: AttachmentOrigin,
    { ref }: Attachment,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    if (!source || !location) return undefined
    try {
      const { image } = await source.readOrder(location, recordId, signal)
      return attachmentsOf(image).find((attachment) => attachment.ref === ref)?.url
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'not_found') return undefined
      throw error
    }
  }

  async function obtain(pending: PendingImage, attachment: Attachment, signal?: AbortSignal) {
    const first = await download(attachment.url, signal)
    if (first !== 'gone') return first
    const url = await renewedUrl(pending, attachment, signal)
    return url === undefined || url === attachment.url ? 'gone' : download(url, signal)
  }

  /** @returns the size of the picture in `to`, or why there is none */
  async function draw(pending: PendingImage, from: string, to: string, signal?: AbortSignal) {
    try {
      const options = { priority: 'background', signal } as const
      return await pictures.render(from, to, STORED_FORMAT, options)
    } catch (error) {
      // The file itself is kept then.
      if (signal?.aborted || pending.tries < MAX_TRIES) throw error
      return 'unreadable'
    }
  }

  /** Keeps an attachment as a picture that is drawn anew, or else as it is. @returns why it was not kept */
  async function keep(
    orderId: string,
    pending: PendingImage,
    attachment: Attachment,
    signal?: AbortSignal,
  ): Promise<ImageReason | undefined> {
    const reply = await obtain(pending, attachment, signal)
    if (typeof reply === 'string') return reply
    const { bytes } = reply
    await using sent = await temporaryFiles.create()
    await using drawn = await temporaryFiles.create()
    await writeFile(sent.path, bytes, { mode: 0o600 })
    const made = await draw(pending, sent.path, drawn.path, signal)
    const isPicture = typeof made !== 'string'
    // A plain link may lead to a page, which stays a link.
    const isPage = made === 'not_a_picture' && attachment.ref === attachment.url && !isPdf(bytes)
    if (bytes.byteLength === 0 || isPage) return 'not_a_picture'
    const file = isPicture
      ? { contentType: `image/${STORED_FORMAT.format}`, ...made }
      : {
          contentType: fileType(bytes, attachment.type ?? reply.type),
          bytes: bytes.byteLength,
          width: null,
          height: null,
        }
    const { path } = isPicture ? drawn : sent
    const { pharmacyId, ref } = pending
    const key = `${pharmacyId}/${await digestOf(path)}`
    await store.registerFile(pharmacyId, key)
    await host.put(key, { path }, file.contentType)
    await store.markKept(pharmacyId, orderId, ref, attachment.place, { key, ...file })
    return undefined
  }

  /** Copies what is not kept yet. A failure of one attachment does not stop the others. */
  async function attempt(orderId: string, pending: PendingImage, signal?: AbortSignal) {
    const outcomes = new Map<number, ImageReason | undefined>()
    const failures: unknown[] = []
    for (const attachment of pending.attachments) {
      try {
        outcomes.set(attachment.place, await keep(orderId, pending, attachment, signal))
      } catch (error) {
        if (signal?.aborted) throw error
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
    const reason = [...outcomes.values()].find((outcome) => outcome !== undefined)
    await finish(orderId, pending, reason ?? null)
  }

  async function finish(
    orderId: string,
    { pharmacyId, ref }: PendingImage,
    reason: ImageReason | null,
  ) {
    await store.finish(pharmacyId, orderId, ref, reason)
    if (reason) log.info({ orderId, reason }, 'no copy of an attachment is kept')
  }

  return {
    /**
     * Copies the attachments of an order, if that is pending. Throws temporary errors; after the last attempt the copies
     * are given up.
     */
    async copy(pharmacyId: string, orderId: string, signal?: AbortSignal): Promise<void> {
      const pending = await store.startAttempt(pharmacyId, orderId)
      if (!pending) return
      // The process died during the last attempt.
      if (pending.tries > MAX_TRIES) return finish(orderId, pending, 'unavailable')
      try {
        await attempt(orderId, pending, signal)
      } catch (error) {
        if (signal?.aborted || pending.tries < MAX_TRIES) throw error
        await finish(orderId, pending, 'unavailable')
      }
    },

    /** Enqueues what has waited for a day, and may have no job. */
    copyLeft: () => store.enqueueLeft(),

    /** Finds an attachment of an order; undefined when it cannot be served. @param place counted from 1 */
    async find(orderId: string, place = 1): Promise<FoundAttachment | undefined> {
      const found = await store.findAttachment(orderId, place)
      if (!found) return undefined
      if (found.file) return { file: found.file }
      // What the source had last, if it cannot be asked.
      const url = await renewedUrl(found.origin, found.attachment).catch(() => found.attachment.url)
      return url !== undefined && outbound.allows(url) ? { url } : undefined
    },

    async open({ key }: StoredFile): Promise<Readable | undefined> {
      const file = await host.open(key)
      if (!file) log.warn({ key }, 'the file of an attachment is missing')
      return file?.stream
    },
  }
}

function attachmentsOf(image: SourceImage | null): { url: string; ref: string }[] {
  return image ? (image.attachments ?? [image]) : []
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export const IMAGE_CLEANUP_TASK = 'orders.images.cleanup'

type TaskDependencies = {
  images: Pick<OrderImages, 'copyLeft'>
  files: OrderImageFilesStore
  host: Pick<FileStore, 'remove'>
  log: Pick<Log, 'info'>
}

/** Files that are checked at a time. */
const BATCH_SIZE = 500

/** Removes the files to which no order refers, and copies attachments that were left. */
export function imageTasks({ images, files, host, log }: TaskDependencies) {
  return {
    [IMAGE_CLEANUP_TASK]: {
      lane: 'maintenance',
      async run(_payload, signal) {
        const pictures = await files.deleteGone()
        const removed = await removeUnused({ files, host }, signal)
        log.info({ pictures, files: removed }, 'cleaned up pictures')
        await images.copyLeft()
      },
    },
  } satisfies Tasks
}

/**
 * Removes the files to which no order refers. Can be repeated.
 *
 * @param signal stops before the next file
 * @param ofPharmacy those of a pharmacy whose orders are gone, at once
 * @returns the number of removed files
 */
export async function removeUnused(
  { files, host }: Pick<TaskDependencies, 'files' | 'host'>,
  signal?: AbortSignal,
  ofPharmacy?: string,
): Promise<number> {
  let removed = 0
  let unused = await files.listUnused(undefined, BATCH_SIZE, ofPharmacy)
  while (unused.length > 0) {
    for (const file of unused) {
      signal?.throwIfAborted()
      const isAtOnce = ofPharmacy !== undefined
      if (await files.remove(file, () => host.remove(file.key), isAtOnce)) removed += 1
    }
    unused = await files.listUnused(unused.at(-1), BATCH_SIZE, ofPharmacy)
  }
  return removed
}
