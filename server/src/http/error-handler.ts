import { type ErrorBody, type ErrorCode, errorText } from '@bancone/contract/errors'
import { fixedErrors } from '@bancone/contract/fixed-errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../base/app-error.ts'
import { isDatabaseUnavailable, isUnstorableText } from '../database/errors.ts'
import { createMemoryRateLimits, networkOf, TooManyRequests } from '../platform/rate-limits.ts'
import { logFailure } from '../platform/request-log.ts'
import { FileStoreError } from '../ports/file-store.ts'
import { PictureRendererError } from '../ports/picture-renderer.ts'

const fixed: Partial<Record<ErrorCode, { sent: string }>> = fixedErrors

/** Converts every error of a route into its response. The response to an unexpected error contains no details. */
export function handleErrors(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error)
    if (known.status >= 500) logFailure(request, error)
    return sendError(known, request, reply)
  })
}

export function errorBody(error: AppError, request: FastifyRequest): ErrorBody {
  const { code, details } = error
  return {
    error: error.text ?? fixed[code]?.sent ?? errorText(code),
    code,
    requestId: request.id,
    details,
  }
}

export function sendError(error: AppError, request: FastifyRequest, reply: FastifyReply) {
  const retryAfter = error.retryAfter ?? (error.status === 503 ? 2 : undefined)
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter))
  const body = errorBody(error, request)
  return reply.code(error.status).header('Cache-Control', 'no-store').send(body)
}

function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (isTransient(error)) return new AppError('service.unavailable', { cause: error })
  if (isUnstorableText(error)) return new AppError('request.invalid')
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new AppError('request.too_large')
    // Refused by Fastify before a handler runs: invalid JSON, an unknown media type, an invalid URL.
    if (typeof error.statusCode === 'number' && error.statusCode < 500) {
      return new AppError('request.invalid')
    }
  }
  return new AppError('internal', { cause: error })
}

/** Whether the same request may succeed later. */
function isTransient(error: unknown): boolean {
  return (
    error instanceof FileStoreError ||
    error instanceof PictureRendererError ||
    isDatabaseUnavailable(error) ||
    isDiskFull(error)
  )
}

function isDiskFull(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ENOSPC' || code === 'EDQUOT'
}

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
