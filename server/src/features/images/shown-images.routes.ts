import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../app-error.ts'
import type { EarlyAnswer } from '../../http/early-answers.ts'
import { namesTag } from '../../http/entity-tags.ts'
import { ImageHostError, type ServedFormat } from '../../ports/image-host.ts'
import { servedFormat } from './images.rules.ts'
import type { ShownImage, ShownImages, WantedImage } from './shown-images.ts'

/** On a picture: it never changes, any page may show it, and nothing in it is ever run. */
const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Disposition': 'inline',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  Vary: 'Accept',
}

/** As Node takes them without looking at each; the last is on every answer of the framework. */
const fixedHeaders = Object.entries({ ...headers, 'X-Content-Type-Options': 'nosniff' }).flat()

/** What `Accept` means, remembered: there are as many as there are kinds of browsers. */
const formats = new LRUCache<string, ServedFormat>({ max: 200 })

function formatFor(accept = ''): ServedFormat {
  const known = formats.get(accept)
  if (known) return known
  const format = servedFormat(accept)
  if (accept.length <= 500) formats.set(accept, format)
  return format
}

/** What is in memory, at once; anything that takes a thought is the route's. */
export function shownImageAnswer(images: Pick<ShownImages, 'remembered'>): EarlyAnswer {
  return ({ method, url = '', headers: sent }, response) => {
    if (method !== 'GET' || !url.startsWith('/images/')) return false
    if (sent['if-none-match'] !== undefined) return false
    // What comes with it is limited by the framework.
    if ('content-length' in sent || 'transfer-encoding' in sent) return false
    const [, , publicId = '', version = '', variant = '', ...more] = url.split('/')
    if (more.length > 0) return false
    const known = images.remembered({ publicId, version, variant }, formatFor(sent.accept))
    if (!known || known.content instanceof Readable) return false
    response.writeHead(200, [
      ...fixedHeaders,
      'ETag',
      known.tag,
      'Content-Type',
      known.contentType,
      'Content-Length',
      String(known.bytes),
    ])
    response.end(known.content)
    return true
  }
}

/** Pictures that customers see: whoever has the address of one may. */
export function shownImageRoutes(app: FastifyInstance, images: ShownImages) {
  app.get<{ Params: WantedImage }>('/images/:publicId/:version/:variant', (request, reply) => {
    const format = formatFor(request.headers.accept)
    const known = images.remembered(request.params, format)
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

function send(reply: FastifyReply, { contentType, bytes, tag, content }: ShownImage) {
  const { request } = reply
  reply.headers(headers).header('ETag', tag)
  const isKnown = namesTag(request.headers['if-none-match'], tag)
  if (isKnown || request.method === 'HEAD') {
    if (content instanceof Readable) content.destroy()
    if (isKnown) return reply.code(304).send()
  }
  reply.type(contentType).header('Content-Length', bytes)
  // Fastify sends none of it then, but would count it unless it is a stream.
  return reply.send(request.method === 'HEAD' ? Readable.from([]) : content)
}
