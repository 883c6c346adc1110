import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { bytesOf, encodingFor } from '../../http/compressed-texts.ts'
import { matchesEtag } from '../../platform/entity-tags.ts'
import { logFailure } from '../../platform/request-log.ts'
import { cacheControl, parsePageUrl } from './public-offers.rules.ts'
import type { PublicPages, RenderedPage } from './public-pages.ts'

const TYPE = 'text/html; charset=utf-8'
const VARY = 'Accept-Encoding'

/** A redirect is cached briefly, because the spelling may become another pharmacy's code. */
const MOVED = 'public, max-age=0, s-maxage=10'

/** Seconds for `Retry-After`. */
const RETRY_AFTER = '5'

/** Called after a page of a pharmacy was sent. @param code the readable code */
export type OnRequested = (code: string, headers: FastifyRequest['headers']) => void

/** The pages `/offers/{code}` and `/offers/{code}/{offerId}`; other paths below belong to the web application. */
export function publicPageRoutes(
  app: FastifyInstance,
  pages: PublicPages,
  onRequested: OnRequested,
) {
  // Not async: promises cost a noticeable part of the time of a page from memory.
  app.get('/offers/*', { onResponse: tell }, (request, reply) => {
    const cached = pages.cached(request.url)
    return cached?.status === 200 ? send(reply, cached, pages.now()) : load(request, reply)
  })

  function tell(request: FastifyRequest, reply: FastifyReply, done: () => void) {
    const isPage = reply.statusCode === 200 || reply.statusCode === 304
    const code = isPage && request.method === 'GET' ? parsePageUrl(request.url)?.code : undefined
    if (code !== undefined) onRequested(code, request.headers)
    done()
  }

  async function load(request: FastifyRequest, reply: FastifyReply) {
    const asked = parsePageUrl(request.url)
    if (!asked) return reply.callNotFound()
    const found = await pages.find(asked).catch((error: unknown) => {
      logFailure(request, error)
    })
    if (!found) return send(reply, await pages.loadErrorPage(), pages.now())
    if ('page' in found) return send(reply, found.page, pages.now())
    const to = asked.query === '' ? found.movedTo : `${found.movedTo}?${asked.query}`
    return reply.header('Vary', VARY).header('Cache-Control', MOVED).redirect(to, 301)
  }
}

function send(reply: FastifyReply, page: RenderedPage, now: number) {
  reply.header('Vary', VARY).header('Cache-Control', cacheControl(page, now))
  if (page.status === 200) reply.header('ETag', `W/${page.tag}`)
  if (page.status === 503) reply.header('Retry-After', RETRY_AFTER)
  if (isKnown(page, reply.request.headers['if-none-match'])) return reply.code(304).send()
  const encoding = encodingFor(reply.request.headers['accept-encoding']?.toString())
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  return reply.code(page.status).type(TYPE).send(bytesOf(page, encoding))
}

/** Conditional requests apply only to successful answers. */
function isKnown({ status, tag }: RenderedPage, ifNoneMatch: string | undefined): boolean {
  return status === 200 && matchesEtag(ifNoneMatch, tag)
}
