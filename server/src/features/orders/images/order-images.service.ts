import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { TemporaryFiles } from '../../../platform/temporary-files.ts'
import type { FileStore } from '../../../ports/file-store.ts'
import { type OrderSource, SourceError } from '../../../ports/order-source.ts'
import type { Outbound } from '../../../ports/outbound.ts'
import { OutboundError } from '../../../ports/outbound.ts'
import type { PictureRenderer } from '../../../ports/picture-renderer.ts'
import {
  classifyStatus,
  type ImageReason,
  MAX_BYTES,
  MAX_TRIES,
  STORED_FORMAT,
} from './order-images.rules.ts'
import type { OrderImagesStore, PendingImage, StoredImage } from './order-images.store.ts'

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

type Dependencies = {
  store: OrderImagesStore
  source: Pick<OrderSource, 'readOrder'> | null
  host: FileStore
  outbound: Outbound
  pictures: Pick<PictureRenderer, 'render'>
  temporaryFiles: Pick<TemporaryFiles, 'create'>
  log: Log
  /** Timeout of a download. */
  timeLimitMs?: number
}

export type OrderImages = ReturnType<typeof createOrderImages>

/** Stores copies of the orders' pictures, because the source's URLs expire after hours. */
export function createOrderImages(dependencies: Dependencies) {
  const { store, source, host, outbound, pictures, temporaryFiles, log } = dependencies
  const { timeLimitMs = 15_000 } = dependencies

  async function download(url: string, signal?: AbortSignal): Promise<Uint8Array | ImageReason> {
    try {
      const reply = await outbound.fetch(url, {
        headers: { accept: 'image/*' },
        timeLimitMs,
        sizeLimit: MAX_BYTES,
        redirects: 3,
        signal,
      })
      const found = classifyStatus(reply.status)
      if (found === 'later') throw new Error(`the picture's address answered ${reply.status}`)
      return found === 'there' ? reply.body : found
    } catch (error) {
      const kind = error instanceof OutboundError ? error.kind : undefined
      if (kind === 'forbidden' || kind === 'too_large') return kind
      if (kind === 'status') return 'no_answer'
      throw error
    }
  }

  /** The source's current URL of the picture, if it differs. */
  async function freshUrl(
    pending: PendingImage,
    signal?: AbortSignal,
  ): Promise<string | undefined> {
    if (!source || !pending.location) return undefined
    try {
      const { image } = await source.readOrder(pending.location, pending.recordId, signal)
      // A different picture will be enqueued by the next reading.
      if (image?.ref !== pending.ref || image.url === pending.url) return undefined
      return image.url
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'not_found') return undefined
      throw error
    }
  }

  async function obtain(pending: PendingImage, signal?: AbortSignal) {
    const first = await download(pending.url, signal)
    if (first !== 'gone') return first
    const url = await freshUrl(pending, signal)
    return url === undefined ? 'gone' : download(url, signal)
  }

  async function attempt(orderId: string, pending: PendingImage, signal?: AbortSignal) {
    const bytes = await obtain(pending, signal)
    if (typeof bytes === 'string') return refuse(orderId, pending, bytes)
    await using sent = await temporaryFiles.create()
    await using drawn = await temporaryFiles.create()
    await writeFile(sent.path, bytes, { mode: 0o600 })
    const options = { priority: 'background', signal } as const
    const made = await pictures.render(sent.path, drawn.path, STORED_FORMAT, options)
    if (typeof made === 'string') return await refuse(orderId, pending, made)
    const { pharmacyId, ref } = pending
    const key = `${pharmacyId}/${await digestOf(drawn.path)}`
    const contentType = `image/${STORED_FORMAT.format}`
    await store.registerFile(pharmacyId, key)
    await host.put(key, drawn, contentType)
    await store.markStored(pharmacyId, orderId, ref, { key, contentType, ...made })
  }

  async function refuse(orderId: string, { pharmacyId, ref }: PendingImage, reason: ImageReason) {
    await store.markRefused(pharmacyId, orderId, ref, reason)
    log.info({ orderId, reason }, 'no copy of a picture is kept')
  }

  return {
    /**
     * Copies the picture of an order, if that is pending. Throws temporary errors; after the last attempt the picture
     * is given up.
     */
    async copy(pharmacyId: string, orderId: string, signal?: AbortSignal): Promise<void> {
      const pending = await store.startAttempt(pharmacyId, orderId)
      if (!pending) return
      // The process died during the last attempt.
      if (pending.tries > MAX_TRIES) return refuse(orderId, pending, 'unavailable')
      try {
        await attempt(orderId, pending, signal)
      } catch (error) {
        if (signal?.aborted || pending.tries < MAX_TRIES) throw error
        await refuse(orderId, pending, 'unavailable')
      }
    },

    /** The stored picture of an order; undefined when it cannot be served. */
    find: (orderId: string): Promise<StoredImage | undefined> => store.findStored(orderId),

    async open({ key }: StoredImage): Promise<Readable | undefined> {
      const file = await host.open(key)
      if (!file) log.warn({ key }, 'the file of a picture is missing')
      return file?.stream
    },
  }
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
