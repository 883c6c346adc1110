import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isDatabaseUnavailable } from '../database/errors.ts'

/** Milliseconds after which a request is worth a line whatever the log level's detail. */
const SLOW_MS = 1_000

/** Of requests that failed because the database is away. */
const reasons = new WeakMap<FastifyRequest, Error>()

/**
 * Writes that a request failed. While the database is away all do: that is said in the line that the request
 * has anyway.
 */
export function logFailure(request: FastifyRequest, error: unknown): void {
  if (error instanceof Error && isDatabaseUnavailable(error)) reasons.set(request, error)
  else request.log.error({ err: error }, 'request failed')
}

/**
 * A line for what was slow or failed; at level debug, for every request. The route is logged and never
 * the address: its query may hold what only its sender should know.
 */
export function logRequests(app: FastifyInstance) {
  const everything = ['debug', 'trace'].includes(app.log.level)
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const notable = reply.statusCode >= 500 || reply.elapsedTime > SLOW_MS
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
