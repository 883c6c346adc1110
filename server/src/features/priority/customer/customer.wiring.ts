import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { PublicProfile } from '@bancone/contract/pharmacy-profile'
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
import type { Database } from '../../../database/database.ts'
import type { AppModule } from '../../../http/app-module.ts'
import { parseRequest } from '../../../http/parse.ts'
import type { Serve } from '../../../http/serve.ts'
import type { Context } from '../../../platform/context.ts'
import type { Events } from '../../../platform/events.ts'
import { logFailure } from '../../../platform/request-log.ts'
import type { PageRenderers } from '../../../ports/page-renderer.ts'
import { createPriorityDisplaysStore } from '../priority-displays.store.ts'
import { createPriorityLinksStore } from '../priority-links.store.ts'
import { createPrioritySettingsStore } from '../priority-settings.store.ts'
import {
  type CustomerPharmacy,
  type CustomerSessions,
  createCustomerSessions,
  customerLimits,
} from './customer.service.ts'
import { createCustomerSessionsStore } from './customer-sessions.store.ts'
import { type CustomerStreams, createCustomerStreams } from './customer-streams.ts'
import { type CustomerPages, createCustomerPages, parsePriorityUrl } from './priority-pages.ts'

type Dependencies = Context & {
  events: Events
  pharmacy(code: string): Promise<CustomerPharmacy | undefined>
  profile(pharmacyId: string, today: string): Promise<PublicProfile | null>
  callNumber(phone: string | null): Promise<string | null>
  /** Undefined when no pages are built. */
  renderer: PageRenderers['priority']
  /** Further work of the transaction in which a customer arrives. */
  onArrived(tx: Database, pharmacyId: string): Promise<void>
}

/** Wires what customers with priority access see and do, and the screens in the room. */
export function wirePriorityCustomer(dependencies: Dependencies): AppModule {
  const { db, events, renderer, callNumber, limits, onArrived, log, ...common } = dependencies
  const store = createCustomerSessionsStore(db, onArrived)
  const displays = createPriorityDisplaysStore(db)
  const links = createPriorityLinksStore(db)
  const settings = createPrioritySettingsStore(db)
  const sessions = createCustomerSessions({
    ...common,
    store,
    displays,
    limits: limits(customerLimits),
    async beginSession(pharmacyId, orderId) {
      const { linkDays } = await settings.of(pharmacyId)
      const begun = await links.issue(pharmacyId, orderId, linkDays, { source: 'customer' })
      return begun?.token
    },
  })
  const streams = createCustomerStreams({ store, displays, events, clock: common.clock, log })
  const { takePage } = sessions
  const pages =
    renderer &&
    createCustomerPages({ ...common, renderer, callNumber, takePage, statusOf: store.statusOf })
  return {
    routes({ app, serve }) {
      customerRoutes(serve, sessions)
      customerStreamRoutes(app, sessions, streams)
      if (pages) customerPageRoutes(app, pages)
    },
    close: streams.close,
  }
}

function customerRoutes(serve: Serve, sessions: CustomerSessions) {
  serve(getCustomerPrioritySession, ({ body }, _session, { ip }) => sessions.get(body, ip))
  serve(changeCustomerPrioritySession, ({ body }, _session, { ip }) => sessions.change(body, ip))
  serve(changeCustomerPlace, ({ body }, _session, { ip }) => sessions.changePlace(body, ip))
  serve(unlockCustomerPrioritySession, ({ body }, _session, { ip }) => sessions.unlock(body, ip))
  serve(getPriorityDisplay, ({ body }, _session, { ip }) => sessions.display(body.token, ip))
}

/** Server-sent events. They are open when the server stops, and would keep it from stopping. */
function customerStreamRoutes(
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
function customerPageRoutes(app: FastifyInstance, pages: CustomerPages) {
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
