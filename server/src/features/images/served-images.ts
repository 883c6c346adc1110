import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { ImageVariant } from '@bancone/contract/image-variants'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../base/app-error.ts'
import { matchesEtag } from '../../platform/browser-call.ts'
import { createCache } from '../../platform/cache.ts'
import { type ImageHost, ImageHostError, type ServedFormat } from '../../ports/image-host.ts'
import { pathOf, servedFormat } from './images.rules.ts'
import type { ImagesStore } from './images.store.ts'

type Dependencies = {
  store: Pick<ImagesStore, 'url'>
  /** The local image host; an external service serves its own pictures. */
  host: Pick<ImageHost, 'open'>
}

/** A variant of a picture, by the parts of its URL. */
type ImageRequest = { publicId: string; version: string; variant: string }

type ServedImage = {
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
  const files = createCache<ServedImage & { content: Buffer }>({
    max: CACHE_LIMITS.bytes,
    sizeOf: ({ content }) => content.byteLength + 512,
    ttlMs: CACHE_MS,
    tagsOf: (_file, key) => [publicIdOf(key)],
  })

  const keyOf = ({ publicId, version, variant }: ImageRequest, format: ServedFormat) =>
    `${publicId}/${version}/${variant}/${format}`
  const publicIdOf = (key: string) => key.slice(0, key.indexOf('/'))

  async function open(wanted: ImageRequest, format: ServedFormat) {
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
    forget: (publicId: string): void => files.invalidate(publicId),
  }
}

/** A picture never changes, may be embedded by any site, and is never executed. */
const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  Vary: 'Accept',
}

/** Public routes of pictures: no session is required. */
export function servedImageRoutes(app: FastifyInstance, images: ServedImages) {
  app.get<{ Params: ImageRequest }>('/images/:publicId/:version/:variant', (request, reply) => {
    const format = servedFormat(request.headers.accept)
    const known = images.cached(request.params, format)
    if (known) {
      send(reply, known)
      return reply
    }
    return images.find(request.params, format).then(
      (found) => {
        if (!found) throw new AppError('images.not_found')
        return send(reply, found)
      },
      (error: unknown) => {
        if (!(error instanceof ImageHostError)) throw error
        throw new AppError('images.host_failed', { cause: error })
      },
    )
  })
}

function send(reply: FastifyReply, { contentType, bytes, tag, content }: ServedImage) {
  const { request } = reply
  reply.headers(headers).header('ETag', tag)
  const isKnown = matchesEtag(request.headers['if-none-match'], tag)
  if (isKnown || request.method === 'HEAD') {
    if (content instanceof Readable) content.destroy()
    if (isKnown) return reply.code(304).send()
  }
  reply.type(contentType).header('Content-Length', bytes)
  // Fastify drops the body of a HEAD answer, but computes its length unless it is a stream.
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : content)
}
