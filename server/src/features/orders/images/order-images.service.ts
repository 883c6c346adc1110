import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { Outbound } from '../../../platform/outbound.ts'
import { OutboundError } from '../../../platform/outbound-error.ts'
import type { ImageHost } from '../../../ports/image-host.ts'
import { type OrderSource, SourceError } from '../../../ports/order-source.ts'
import { imageFile } from './order-image-file.ts'
import { type ImageReason, MOST_BYTES, MOST_TRIES, readStatus } from './order-images.rules.ts'
import type { KeptImage, OrderImagesStore, WantedImage } from './order-images.store.ts'

type Log = {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

type Dependencies = {
  store: OrderImagesStore
  source: Pick<OrderSource, 'readOrder'> | null
  host: ImageHost
  outbound: Outbound
  log: Log
  /** Milliseconds for a picture to arrive. */
  timeLimitMs?: number
}

export type OrderImages = ReturnType<typeof createOrderImages>

/** Copies of orders' pictures: the order store's own addresses of them end after hours. */
export function createOrderImages(dependencies: Dependencies) {
  const { store, source, host, outbound, log, timeLimitMs = 15_000 } = dependencies

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
    const file = typeof bytes === 'string' ? bytes : await imageFile(bytes)
    if (typeof file === 'string') return refuse(orderId, wanted, file)
    const digest = createHash('sha256').update(file.bytes).digest('hex')
    const key = `${wanted.pharmacyId}/${digest}`
    await store.expectFile(key)
    await host.put(key, file.bytes, file.contentType)
    await store.keep(orderId, wanted.ref, key, file)
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
