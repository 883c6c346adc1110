import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** Responds to a request, or declines it. @returns whether it has responded */
export type FastPathHandler = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Registers a handler that responds before Fastify and avoids its overhead: for responses that are in memory and
 * requested by the hundred. A route must give the same response. The route is used while the server is closing, because
 * it adds `Connection: close`, and at the log levels that log every request, because only Fastify writes those lines.
 */
export function addFastPath(app: FastifyInstance, answer: FastPathHandler): void {
  if (['debug', 'trace'].includes(app.log.level)) return
  const { server } = app
  const later = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (server.listening && hasAnswered(request, response)) return
    for (const listener of later) Reflect.apply(listener, server, [request, response])
  })

  /** An uncaught error would end the process: it is logged, and Fastify handles the request if nothing was sent. */
  function hasAnswered(request: IncomingMessage, response: ServerResponse): boolean {
    try {
      return answer(request, response)
    } catch (error) {
      app.log.error({ err: error }, 'an early answer failed')
      if (response.headersSent) response.destroy()
      return response.headersSent
    }
  }
}
