import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendCompressed } from '../../http/compressed-texts.ts'
import { logFailure } from '../../platform/request-log.ts'
import { cacheControl, parsePageUrl } from './public-offers.rules.ts'
import type { PublicPages, RenderedPage } from './public-pages.ts'

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
    return reply.header('Vary', 'Accept-Encoding').header('Cache-Control', MOVED).redirect(to, 301)
  }
}

function send(reply: FastifyReply, page: RenderedPage, now: number) {
  reply.code(page.status).header('Cache-Control', cacheControl(page, now))
  if (page.status === 503) reply.header('Retry-After', RETRY_AFTER)
  return sendCompressed(reply, 'text/html', page)
}
