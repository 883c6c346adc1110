import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'
import type { Telemetry } from './telemetry/telemetry.ts'

/** Slower requests are logged at every log level. Milliseconds. */
const SLOW_MS = 1_000

/** The errors of requests that failed because the database was unavailable. */
const reasons = new WeakMap<FastifyRequest, Error>()

/**
 * Logs that a request failed. While the database is unavailable every request fails: then the error is added to the
 * request's own log line instead.
 */
export function logFailure(request: FastifyRequest, error: unknown): void {
  if (error instanceof Error && isDatabaseUnavailable(error)) reasons.set(request, error)
  else request.log.error({ err: error }, 'request failed')
}

/**
 * Logs slow and failed requests and, at level debug, every request. The route pattern is logged instead of the URL,
 * whose query may contain personal data.
 */
export function logRequests(app: FastifyInstance) {
  const everything = ['debug', 'trace'].includes(app.log.level)
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const isStream = String(reply.raw.getHeader('content-type')).startsWith('text/event-stream')
    const notable = reply.statusCode >= 500 || (reply.elapsedTime > SLOW_MS && !isStream)
    if (!notable && !everything) return
    const err = reasons.get(request)
    const details = {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
      ...(err && { err }),
    }
    if (notable) request.log.warn(details, 'request')
    else request.log.debug(details, 'request')
  })
}

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
