import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ImageVariant } from '@bancone/contract/image-variants'
import { LRUCache } from 'lru-cache'
import type { ImageHost, ServedFormat } from '../../ports/image-host.ts'
import { pathOf } from './images.rules.ts'
import type { ImagesStore } from './images.store.ts'

type Dependencies = {
  store: Pick<ImagesStore, 'url'>
  /** The local image host; an external service serves its own pictures. */
  host: Pick<ImageHost, 'open'>
}

/** A variant of a picture, by the parts of its URL. */
export type ImageRequest = { publicId: string; version: string; variant: string }

export type ServedImage = {
  contentType: string
  bytes: number
  tag: string
  content: Buffer | Readable
}

/** Bytes of cached variants: in all, and of a single one. */
const CACHE_LIMITS = { bytes: 8 * 1024 * 1024, most: 256 * 1024 }

/** Milliseconds after which it is checked again that a picture exists: other processes remove pictures too. */
const CACHE_MS = 10_000

export type ServedImages = ReturnType<typeof createServedImages>

/** Serves variants of pictures. Variants in frequent use are cached in memory and need neither disk nor database. */
export function createServedImages({ store, host }: Dependencies) {
  const files = new LRUCache<string, ServedImage & { content: Buffer }>({
    maxSize: CACHE_LIMITS.bytes,
    maxEntrySize: CACHE_LIMITS.most,
    sizeCalculation: ({ content }) => content.byteLength + 512,
    ttl: CACHE_MS,
  })

  const keyOf = ({ publicId, version, variant }: ImageRequest, format: ServedFormat) =>
    `${publicId}/${version}/${variant}/${format}`

  async function open(
    wanted: ImageRequest,
    format: ServedFormat,
  ): Promise<ServedImage | undefined> {
    const variant = ImageVariant.safeParse(wanted.variant)
    if (!variant.success) return undefined
    const file = await host.open(wanted.publicId, variant.data, format)
    if (!file) return undefined
    const { contentType, bytes, stream } = file
    const shown = { contentType, bytes, tag: `"${wanted.version}-${wanted.variant}-${format}"` }
    if (bytes > CACHE_LIMITS.most) return { ...shown, content: stream }
    const content = await buffer(stream)
    if (content.byteLength !== bytes) throw new Error('the file of a picture is not whole')
    files.set(keyOf(wanted, format), { ...shown, content })
    return { ...shown, content }
  }

  return {
    /** The variant, if it is in memory. */
    cached: (wanted: ImageRequest, format: ServedFormat): ServedImage | undefined =>
      files.get(keyOf(wanted, format)),

    /** A variant of a picture, rendered on first use. @throws ImageHostError */
    async find(wanted: ImageRequest, format: ServedFormat): Promise<ServedImage | undefined> {
      const { publicId, version } = wanted
      const isThere = (await store.url(publicId)) === pathOf(publicId, version)
      return isThere ? open(wanted, format) : undefined
    },

    /** Drops a removed picture from the cache. */
    forget(publicId: string): void {
      for (const key of files.keys()) if (key.startsWith(`${publicId}/`)) files.delete(key)
    },
  }
}
