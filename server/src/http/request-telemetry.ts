import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import type { Telemetry } from '../platform/telemetry/telemetry.ts'
import type { Span, Tracing } from '../platform/telemetry/tracing.ts'

/** Counts and traces requests by the templates of their routes. Nothing of a path or of a caller is used. */
export function observeRequests(app: FastifyInstance, { metrics, tracing }: Telemetry): void {
  if (metrics) countRequests(app, metrics)
  if (tracing) traceRequests(app, tracing)
}

function countRequests(app: FastifyInstance, metrics: Metrics): void {
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

function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  app.addHook('onRequest', (request, _reply, done) => {
    const details = { 'http.request.method': request.method, 'http.route': routeOf(request) }
    const span = tracing.begin(`${request.method} ${routeOf(request)}`, 'server', details)
    spans.set(request, span)
    // Fastify keeps the context while it reads a body.
    span.run(done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    // A span that does not end is not sent.
    if (isEventStream(reply)) return
    const { statusCode } = reply
    const details = { 'http.response.status_code': statusCode }
    spans.get(request)?.end(details, statusCode >= 500 ? statusCode : undefined)
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
