import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Telemetry } from '../platform/telemetry/telemetry.ts'

/** Counts requests by the templates of their routes. Nothing of a path or of a caller is used. */
export function observeRequests(app: FastifyInstance, { metrics }: Telemetry): void {
  if (!metrics) return
  app.addHook('onResponse', (request, reply, done) => {
    done()
    if (isEventStream(reply)) return
    metrics.countRequest({
      method: request.method,
      route: routeOf(request),
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1_000,
    })
  })
}

/** The template of the route: one for all paths that lead nowhere. */
function routeOf(request: FastifyRequest): string {
  return request.is404 ? 'none' : (request.routeOptions.url ?? 'none')
}

/** An event stream lasts as long as a page is open. */
function isEventStream(reply: FastifyReply): boolean {
  return String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')
}
