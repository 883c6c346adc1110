import { listPublicOffers } from '@bancone/contract/public-offers'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { matchesEtag } from '../../http/entity-tags.ts'
import type { FastPathHandler } from '../../http/fast-path.ts'
import { logFailure } from '../../http/request-log.ts'
import type { Serve } from '../../http/serve.ts'
import { bytesOf, encodingFor } from './compressed-texts.ts'
import { cacheControl, parsePageUrl } from './public-offers.rules.ts'
import type { PublicOffersService } from './public-offers.service.ts'
import type { PublicPages } from './public-pages.ts'
import type { RenderedPage } from './rendered-pages.ts'

const TYPE = 'text/html; charset=utf-8'

/** Longer URLs are rejected: no link has one. */
const LONGEST_URL = 1_000

/** A redirect is cached briefly, because the spelling may become another pharmacy's code. */
const MOVED = 'public, max-age=0, s-maxage=10'

/** Seconds for `Retry-After`. */
const RETRY_AFTER = '5'

export function publicOffersRoutes(serve: Serve, offers: PublicOffersService) {
  serve(listPublicOffers, ({ params }) => offers.content(params.pharmacyId))
}

/**
 * Answers synchronously from memory.
 * @param always headers of every answer
 */
export function publicPageAnswer(
  pages: Pick<PublicPages, 'cached' | 'now'>,
  always: Record<string, string>,
): FastPathHandler {
  const fixed = Object.entries({ ...always, Vary: 'Accept-Encoding' }).flat()
  return ({ method, url = '', headers }, response) => {
    if (method !== 'GET' || !url.startsWith('/offers/') || url.length > LONGEST_URL) return false
    // Requests with a body are left to the framework, which limits them.
    if ('content-length' in headers || 'transfer-encoding' in headers) return false
    const page = pages.cached(url)
    if (!page) return false
    const caching = ['Cache-Control', cacheControl(page, pages.now())]
    if (isKnown(page, headers['if-none-match'])) {
      response.writeHead(304, [...fixed, ...caching, 'ETag', `W/${page.tag}`])
      response.end()
      return true
    }
    const encoding = encodingFor(headers['accept-encoding'])
    const bytes = bytesOf(page, encoding)
    const own = ['Content-Type', TYPE, 'Content-Length', String(bytes.byteLength)]
    if (encoding !== 'identity') own.push('Content-Encoding', encoding)
    if (page.status === 200) own.push('ETag', `W/${page.tag}`)
    response.writeHead(page.status, [...fixed, ...caching, ...own])
    response.end(bytes)
    return true
  }
}

/** The pages `/offers/{code}` and `/offers/{code}/{offerId}`; other paths below belong to the web application. */
export function publicPageRoutes(app: FastifyInstance, pages: PublicPages) {
  app.get('/offers/*', async (request, reply) => {
    const asked = parsePageUrl(request.url)
    if (!asked) return reply.callNotFound()
    reply.header('Vary', 'Accept-Encoding')
    const found = await pages.find(asked).catch((error: unknown) => {
      logFailure(request, error)
    })
    if (!found) return send(reply, await pages.loadErrorPage(), pages.now())
    if ('page' in found) return send(reply, found.page, pages.now())
    const query = asked.query === '' ? '' : `?${asked.query}`
    return reply.header('Cache-Control', MOVED).redirect(found.movedTo + query, 301)
  })
}

function send(reply: FastifyReply, page: RenderedPage, now: number) {
  reply.header('Cache-Control', cacheControl(page, now))
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
