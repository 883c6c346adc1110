import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/app-error.ts'
import { createMemoryRateLimits, networkOf, TooManyRequests } from '../platform/rate-limits.ts'
import { errorBody } from './error-handler.ts'

/** Calls of a network that are refused with 401 per minute: far more than lost sessions cause. */
const MAX_PER_MINUTE = 300

/**
 * Answers further refused calls of a network with 429, and closes their connections. Calls that are not refused are
 * unaffected, because many users may share a network. Counted per process.
 */
export function limitRefusedCalls(app: FastifyInstance, perMinute = MAX_PER_MINUTE): void {
  const limits = createMemoryRateLimits({ refused: { points: perMinute, seconds: 60 } })
  async function count(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    try {
      await limits.take({ limit: 'refused', subject: networkOf(request.ip) })
      return payload
    } catch (error) {
      if (!(error instanceof TooManyRequests)) throw error
      reply.code(429).headers({ 'Retry-After': String(error.retryAfter), Connection: 'close' })
      reply.type('application/json; charset=utf-8').removeHeader('Content-Length')
      return JSON.stringify(errorBody(new AppError('request.too_many'), request))
    }
  }
  // Without a promise for all other responses: the responses from memory would wait for it.
  app.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode !== 401) return done(null, payload)
    count(request, reply, payload).then(
      (sent) => done(null, sent),
      (error: unknown) => done(error instanceof Error ? error : new Error('not counted')),
    )
  })
}
