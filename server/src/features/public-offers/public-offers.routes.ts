import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendCompressed } from '../../http/compressed-texts.ts'
import { logFailure } from '../../platform/request-log.ts'
import type { Clock } from '../../ports/clock.ts'
import type { CacheEntry } from './offers-cache.ts'
import { cacheControl, type PageRequest, parsePageUrl } from './public-offers.rules.ts'
import type { FoundPage, PublicPages } from './public-pages.ts'

/** A redirect is cached briefly, because the spelling may become another pharmacy's code. */
const MOVED = 'public, max-age=0, s-maxage=10'

/** Seconds for `Retry-After`. */
const RETRY_AFTER = '5'

/** Called when a page of a pharmacy is sent. */
export type OnRequested = (
  pharmacy: Pick<CacheEntry, 'pharmacyId' | 'isCounting'>,
  headers: FastifyRequest['headers'],
) => void

type Dependencies = { pages: PublicPages; clock: Clock; onRequested: OnRequested }

/** The pages `/offers/{code}` and `/offers/{code}/{offerId}`; other paths below belong to the web application. */
export function publicPageRoutes(
  app: FastifyInstance,
  { pages, clock, onRequested }: Dependencies,
) {
  // Not async: promises cost a noticeable part of the time of a page from memory.
  app.get('/offers/*', (request, reply) => {
    const asked = parsePageUrl(request.url)
    if (!asked) return reply.callNotFound()
    const found = pages.cached(asked)
    return found ? send(reply, found) : load(asked, reply)
  })

  async function load(asked: PageRequest, reply: FastifyReply) {
    const found = await pages.load(asked).catch((error: unknown) => {
      logFailure(reply.request, error)
    })
    return send(reply, found ?? (await pages.loadErrorPage()))
  }

  function send(reply: FastifyReply, found: FoundPage) {
    if ('movedTo' in found) {
      reply.header('Vary', 'Accept-Encoding').header('Cache-Control', MOVED)
      return reply.redirect(found.movedTo, 301)
    }
    const { status, entry } = found
    const { method, headers } = reply.request
    if (status === 200 && entry && method === 'GET') onRequested(entry, headers)
    reply.code(status)
    reply.header('Cache-Control', cacheControl(status, entry?.until ?? null, clock.now()))
    if (status === 503) reply.header('Retry-After', RETRY_AFTER)
    return sendCompressed(reply, 'text/html', found)
  }
}
