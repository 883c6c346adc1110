import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** @returns whether it has answered */
export type EarlyAnswer = (request: IncomingMessage, response: ServerResponse) => boolean

/**
 * Lets something answer before the framework sees the request: for what is in memory and asked for by the
 * hundred, whose sending costs less than its hooks and its routing. No line of the log knows of such an
 * answer. A route must give the same: it does when the server is closing, and then tells the caller to leave.
 */
export function answerEarly(app: FastifyInstance, answer: EarlyAnswer): void {
  const { server } = app
  // The framework's own, which `routing` is.
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    if (!server.listening || !answer(request, response)) app.routing(request, response)
  })
}
