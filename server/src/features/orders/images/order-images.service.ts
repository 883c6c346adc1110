import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Scratch } from '../../../platform/scratch.ts'
import type { FileStore } from '../../../ports/file-store.ts'
import { type OrderSource, SourceError } from '../../../ports/order-source.ts'
import type { Outbound } from '../../../ports/outbound.ts'
import { OutboundError } from '../../../ports/outbound.ts'
import type { PictureMaker } from '../../../ports/picture-maker.ts'
import { type ImageReason, KEPT, MOST_BYTES, MOST_TRIES, readStatus } from './order-images.rules.ts'
import type { KeptImage, OrderImagesStore, WantedImage } from './order-images.store.ts'

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

type Dependencies = {
  store: OrderImagesStore
  source: Pick<OrderSource, 'readOrder'> | null
  host: FileStore
  outbound: Outbound
  pictures: Pick<PictureMaker, 'make'>
  scratch: Pick<Scratch, 'file'>
  log: Log
  /** Milliseconds for a picture to arrive. */
  timeLimitMs?: number
}

export type OrderImages = ReturnType<typeof createOrderImages>

/** Copies of orders' pictures: the order store's own addresses of them end after hours. */
export function createOrderImages(dependencies: Dependencies) {
  const { store, source, host, outbound, pictures, scratch, log } = dependencies
  const { timeLimitMs = 15_000 } = dependencies

  async function download(url: string, signal?: AbortSignal): Promise<Uint8Array | ImageReason> {
    try {
      const reply = await outbound.fetch(url, {
        headers: { accept: 'image/*' },
        timeLimitMs,
        sizeLimit: MOST_BYTES,
        redirects: 3,
        signal,
      })
      const found = readStatus(reply.status)
      if (found === 'later') throw new Error(`the picture's address answered ${reply.status}`)
      return found === 'there' ? reply.body : found
    } catch (error) {
      const kind = error instanceof OutboundError ? error.kind : undefined
      if (kind === 'forbidden' || kind === 'too_large') return kind
      if (kind === 'status') return 'no_answer'
      throw error
    }
  }

  /** The address the store gives now, if it is another one. */
  async function freshUrl(wanted: WantedImage, signal?: AbortSignal): Promise<string | undefined> {
    if (!source || !wanted.location) return undefined
    try {
      const { image } = await source.readOrder(wanted.location, wanted.recordId, signal)
      // Another picture is the next reading's to tell of, which then wants it.
      if (image?.ref !== wanted.ref || image.url === wanted.url) return undefined
      return image.url
    } catch (error) {
      if (error instanceof SourceError && error.kind === 'not_found') return undefined
      throw error
    }
  }

  async function obtain(wanted: WantedImage, signal?: AbortSignal) {
    const first = await download(wanted.url, signal)
    if (first !== 'gone') return first
    const url = await freshUrl(wanted, signal)
    return url === undefined ? 'gone' : download(url, signal)
  }

  async function attempt(orderId: string, wanted: WantedImage, signal?: AbortSignal) {
    const bytes = await obtain(wanted, signal)
    if (typeof bytes === 'string') return refuse(orderId, wanted, bytes)
    await using sent = await scratch.file()
    await using drawn = await scratch.file()
    await writeFile(sent.path, bytes, { mode: 0o600 })
    const options = { urgency: 'background', signal } as const
    const made = await pictures.make(sent.path, drawn.path, KEPT, options)
    if (typeof made === 'string') return await refuse(orderId, wanted, made)
    const key = `${wanted.pharmacyId}/${await digestOf(drawn.path)}`
    const contentType = `image/${KEPT.format}`
    await store.expectFile(key)
    await host.put(key, drawn, contentType)
    await store.keep(orderId, wanted.ref, { key, contentType, ...made })
  }

  async function refuse(orderId: string, { ref }: WantedImage, reason: ImageReason) {
    await store.refuse(orderId, ref, reason)
    log.info({ orderId, reason }, 'no copy of a picture is kept')
  }

  return {
    /**
     * Copies the picture of an order, if it waits for that. Throws what may pass; after the last try
     * the picture is given up.
     */
    async copy(orderId: string, signal?: AbortSignal): Promise<void> {
      const wanted = await store.begin(orderId)
      if (!wanted) return
      // One more than there may be: something ended the process in the last one.
      if (wanted.tries > MOST_TRIES) return refuse(orderId, wanted, 'unavailable')
      try {
        await attempt(orderId, wanted, signal)
      } catch (error) {
        if (signal?.aborted || wanted.tries < MOST_TRIES) throw error
        await refuse(orderId, wanted, 'unavailable')
      }
    },

    /** The copy of an order's picture; undefined when there is none to be served. */
    find: (orderId: string): Promise<KeptImage | undefined> => store.kept(orderId),

    async open({ key }: KeptImage): Promise<Readable | undefined> {
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
