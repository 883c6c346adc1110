import type { FastifyInstance } from 'fastify'

/** Milliseconds after which a request is worth a line whatever the log level's detail. */
const SLOW_MS = 1_000

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
    const details = {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    }
    if (notable) request.log.warn(details, 'request')
    else request.log.debug(details, 'request')
  })
}
