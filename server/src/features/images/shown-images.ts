import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ImageVariant } from '@bancone/contract/image-variants'
import { LRUCache } from 'lru-cache'
import type { ImageHost, ServedFormat } from '../../ports/image-host.ts'
import { pathOf } from './images.rules.ts'
import type { ImagesStore } from './images.store.ts'

type Dependencies = {
  store: Pick<ImagesStore, 'url'>
  /** Ours: what a service keeps is shown by the service. */
  host: Pick<ImageHost, 'open'>
}

/** What is shown of a picture, by the parts of its address. */
export type WantedImage = { publicId: string; version: string; variant: string }

export type ShownImage = {
  contentType: string
  bytes: number
  tag: string
  content: Buffer | Readable
}

/** Bytes of variants that are remembered, in all and of one. */
const REMEMBERED = { bytes: 8 * 1024 * 1024, most: 256 * 1024 }

/** Milliseconds after which it is asked again whether a picture is there: other processes remove some too. */
const BELIEVED_MS = 10_000

export type ShownImages = ReturnType<typeof createShownImages>

/** Pictures as screens want them. What is asked for often is in memory, and costs neither disk nor database. */
export function createShownImages({ store, host }: Dependencies) {
  const urls = new LRUCache<string, string>({ max: 5_000, ttl: BELIEVED_MS })
  const files = new LRUCache<string, ShownImage & { content: Buffer }>({
    maxSize: REMEMBERED.bytes,
    maxEntrySize: REMEMBERED.most,
    sizeCalculation: ({ content }) => content.byteLength + 512,
  })

  const keyOf = ({ publicId, version, variant }: WantedImage, format: ServedFormat) =>
    `${publicId}/${version}/${variant}/${format}`

  async function isThere(publicId: string, version: string): Promise<boolean> {
    const url = urls.get(publicId) ?? (await store.url(publicId))
    if (url !== undefined && !urls.has(publicId)) urls.set(publicId, url)
    return url === pathOf(publicId, version)
  }

  async function open(wanted: WantedImage, format: ServedFormat): Promise<ShownImage | undefined> {
    const variant = ImageVariant.safeParse(wanted.variant)
    if (!variant.success) return undefined
    const file = await host.open(wanted.publicId, variant.data, format)
    if (!file) return undefined
    const { contentType, bytes, stream } = file
    const shown = { contentType, bytes, tag: `"${wanted.version}-${wanted.variant}-${format}"` }
    if (bytes > REMEMBERED.most) return { ...shown, content: stream }
    const content = await buffer(stream)
    if (content.byteLength !== bytes) throw new Error('the file of a picture is not whole')
    files.set(keyOf(wanted, format), { ...shown, content })
    return { ...shown, content }
  }

  return {
    /** What is in memory of it. */
    remembered(wanted: WantedImage, format: ServedFormat): ShownImage | undefined {
      const { publicId, version } = wanted
      if (urls.get(publicId) !== pathOf(publicId, version)) return undefined
      return files.get(keyOf(wanted, format))
    },

    /** A variant of a picture, drawn if nobody has asked for it before. @throws ImageHostError */
    async find(wanted: WantedImage, format: ServedFormat): Promise<ShownImage | undefined> {
      if (!(await isThere(wanted.publicId, wanted.version))) return undefined
      return files.get(keyOf(wanted, format)) ?? open(wanted, format)
    },

    /** It was removed. */
    forget(publicId: string): void {
      urls.delete(publicId)
    },
  }
}
