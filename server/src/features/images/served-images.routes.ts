import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../app-error.ts'
import { matchesEtag } from '../../platform/entity-tags.ts'
import { ImageHostError } from '../../ports/image-host.ts'
import { servedFormat } from './images.rules.ts'
import type { ImageRequest, ServedImage, ServedImages } from './served-images.ts'

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
