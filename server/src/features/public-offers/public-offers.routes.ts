import { listPublicOffers } from '@bancone/contract/public-offers'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { EarlyAnswer } from '../../http/early-answers.ts'
import { namesTag } from '../../http/entity-tags.ts'
import { logFailure } from '../../http/request-log.ts'
import type { Serve } from '../../http/serve.ts'
import type { FinishedPage } from './drawn-pages.ts'
import { bytesOf, encodingFor } from './finished-texts.ts'
import { askedPage, cachingFor } from './public-offers.rules.ts'
import type { PublicOffersService } from './public-offers.service.ts'
import type { PublicPages } from './public-pages.ts'

const TYPE = 'text/html; charset=utf-8'

/** Addresses that are longer are nobody's bookmark. */
const LONGEST_URL = 1_000

/** Another spelling of a code may be another pharmacy's one day. */
const MOVED = 'public, max-age=0, s-maxage=10'

/** Seconds after which it may be there again. */
const RETRY_AFTER = '5'

export function publicOffersRoutes(serve: Serve, offers: PublicOffersService) {
  serve(listPublicOffers, ({ params }) => offers.content(params.pharmacyId))
}

/**
 * What is in memory, at once.
 * @param always the headers that every answer has
 */
export function publicPageAnswer(
  pages: Pick<PublicPages, 'remembered' | 'now'>,
  always: Record<string, string>,
): EarlyAnswer {
  const fixed = Object.entries({ ...always, Vary: 'Accept-Encoding' }).flat()
  return ({ method, url = '', headers }, response) => {
    if (method !== 'GET' || !url.startsWith('/offers/') || url.length > LONGEST_URL) return false
    // What comes with it is limited by the framework.
    if ('content-length' in headers || 'transfer-encoding' in headers) return false
    const page = pages.remembered(url)
    if (!page) return false
    const caching = ['Cache-Control', cachingFor(page, pages.now())]
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

/** The pages of `/offers/{code}` and `/offers/{code}/{offerId}`; all others there are the application's. */
export function publicPageRoutes(app: FastifyInstance, pages: PublicPages) {
  app.get('/offers/*', async (request, reply) => {
    const asked = askedPage(request.url)
    if (!asked) return reply.callNotFound()
    reply.header('Vary', 'Accept-Encoding')
    const found = await pages.find(asked).catch((error: unknown) => {
      logFailure(request, error)
    })
    if (!found) return send(reply, await pages.failed(), pages.now())
    if ('page' in found) return send(reply, found.page, pages.now())
    const query = asked.query === '' ? '' : `?${asked.query}`
    return reply.header('Cache-Control', MOVED).redirect(found.movedTo + query, 301)
  })
}

function send(reply: FastifyReply, page: FinishedPage, now: number) {
  reply.header('Cache-Control', cachingFor(page, now))
  if (page.status === 200) reply.header('ETag', `W/${page.tag}`)
  if (page.status === 503) reply.header('Retry-After', RETRY_AFTER)
  if (isKnown(page, reply.request.headers['if-none-match'])) return reply.code(304).send()
  const encoding = encodingFor(reply.request.headers['accept-encoding']?.toString())
  if (encoding !== 'identity') reply.header('Content-Encoding', encoding)
  return reply.code(page.status).type(TYPE).send(bytesOf(page, encoding))
}

/** Only what is as it should be is kept by whoever asked. */
function isKnown({ status, tag }: FinishedPage, ifNoneMatch: string | undefined): boolean {
  return status === 200 && namesTag(ifNoneMatch, tag)
}
