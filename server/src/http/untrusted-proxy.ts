import type { FastifyInstance } from 'fastify'

/**
 * Warns once when a request has come through a proxy although none is trusted: then all clients have the address of the
 * proxy and share its limits.
 */
export function warnOfUntrustedProxy(app: FastifyInstance) {
  let isWarned = false
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isWarned && request.headers['x-forwarded-for'] !== undefined) {
      isWarned = true
      const message = 'X-Forwarded-For is ignored: behind a proxy set TRUST_PROXY'
      app.log.warn({ proxy: request.ip }, message)
    }
    done()
  })
}
