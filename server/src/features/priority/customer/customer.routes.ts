import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  changeCustomerPlace,
  changeCustomerPrioritySession,
  getCustomerPrioritySession,
  getPriorityDisplay,
  priorityStreams,
  unlockCustomerPrioritySession,
} from '@bancone/contract/priority-customer'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../../base/app-error.ts'
import { parseRequest } from '../../../http/parse.ts'
import type { Serve } from '../../../http/serve.ts'
import { logFailure } from '../../../platform/request-log.ts'
import type { CustomerSessions } from './customer.service.ts'
import { type CustomerPages, parsePriorityUrl } from './customer-pages.ts'
import type { CustomerStreams } from './customer-streams.ts'

export function customerRoutes(serve: Serve, sessions: CustomerSessions) {
  serve(getCustomerPrioritySession, ({ body }, _session, { ip }) => sessions.get(body, ip))
  serve(changeCustomerPrioritySession, ({ body }, _session, { ip }) => sessions.change(body, ip))
  serve(changeCustomerPlace, ({ body }, _session, { ip }) => sessions.changePlace(body, ip))
  serve(unlockCustomerPrioritySession, ({ body }, _session, { ip }) => sessions.unlock(body, ip))
  serve(getPriorityDisplay, ({ body }, _session, { ip }) => sessions.display(body.token, ip))
}

/** Server-sent events. They are open when the server stops, and would keep it from stopping. */
export function customerStreamRoutes(
  app: FastifyInstance,
  sessions: CustomerSessions,
  streams: CustomerStreams,
) {
  app.addHook('preClose', async () => streams.close())

  app.post(priorityStreams.session, async (request, reply) => {
    const link = parseRequest(getCustomerPrioritySession.body, request.body)
    streams.requireRoom()
    const { pharmacyId, id } = await sessions.locate(link, request.ip)
    streams.open(pharmacyId, { prioritySessionId: id }, link.token, begin(reply))
  })

  app.post(priorityStreams.display, async (request, reply) => {
    const { token } = parseRequest(getPriorityDisplay.body, request.body)
    streams.requireRoom()
    const { pharmacyId, id } = await sessions.locateDisplay(token, request.ip)
    streams.open(pharmacyId, { displayId: id }, token, begin(reply))
  })
}

const compressed = promisify<string, Buffer>(gzip)

/** Sends the headers, those of every response included. */
function begin(reply: FastifyReply) {
  reply.headers({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    // For nginx, which would collect the events.
    'X-Accel-Buffering': 'no',
  })
  reply.hijack()
  const { raw } = reply
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) raw.setHeader(name, value)
  raw.writeHead(200)
  raw.flushHeaders()
  return raw
}

/** The pages `/priority/{code}`, `/priority/{code}/{orderId}` and `/priority/display`. */
export function customerPageRoutes(app: FastifyInstance, pages: CustomerPages) {
  app.get('/priority/*', async (request, reply) => {
    const asked = parsePriorityUrl(request.url)
    if (!asked) return reply.callNotFound()
    const page =
      asked === 'invalid'
        ? Promise.reject(new AppError('request.invalid'))
        : pages.page(asked, request.ip)
    const { html, status } = await page.catch((error: unknown) => {
      if (!(error instanceof AppError)) logFailure(request, error)
      else if (error.retryAfter !== undefined) reply.header('Retry-After', error.retryAfter)
      return pages.failure(error)
    })
    reply.headers({ 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex' })
    reply.code(status).type('text/html; charset=utf-8').header('Vary', 'Accept-Encoding')
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(html)
    return reply.header('Content-Encoding', 'gzip').send(await compressed(html))
  })
}
