import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** @returns whether it has answered */
export type EarlyAnswer = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Lets something answer before the framework, and so before what that costs: for what is in memory and asked
 * for by the hundred. A route must give the same: it does when the server is closing, and then tells the caller
 * to leave; and where every request has its line in the log, which only the framework writes.
 */
export function answerEarly(app: FastifyInstance, answer: EarlyAnswer): void {
  if (['debug', 'trace'].includes(app.log.level)) return
  const { server } = app
  const later = server.listeners('request')
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (server.listening && hasAnswered(request, response)) return
    for (const listener of later) Reflect.apply(listener, server, [request, response])
  })

  /** A mistake here would end the process; the framework says what is wrong, or answers. */
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
