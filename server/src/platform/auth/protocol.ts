import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { logFailure } from '../../http/request-log.ts'
import { networkOf } from '../rate-limits.ts'
import type { Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { MOST_METADATA } from './metadata.ts'
import { normalEmail } from './users.store.ts'

const API_VERSION = '2024-01-01'

/** What clients send and may read, as cross-origin requests must be told. */
export const requestHeaders = [
  'authorization',
  'apikey',
  'content-type',
  'x-client-info',
  'x-supabase-api-version',
  'x-retry-count',
  'traceparent',
  'tracestate',
  'baggage',
]
export const readableHeaders = ['x-total-count', 'link', 'x-supabase-api-version', 'retry-after']

/** @throws AuthError `validation_failed` with that message */
export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  message: string,
): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new AuthError('validation_failed', { message })
  return result.data
}

const Query = z.record(z.string(), z.unknown())

export function queryOf(request: FastifyRequest): Record<string, unknown> {
  return Query.parse(request.query)
}

/** Longer names of browsers are cut: whoever calls writes them. */
const AGENT_LENGTH = 300

export function callerOf(request: FastifyRequest): Caller {
  return callerFrom({ ip: request.ip, agent: request.headers['user-agent'] })
}

/** @param from as it came: the address, and the name a browser gave itself */
export function callerFrom(from: { ip: string; agent: string | undefined }): Caller {
  const agent = from.agent?.slice(0, AGENT_LENGTH)
  return { address: networkOf(from.ip), agent: agent && isKeepable(agent) ? agent : null }
}

export function bearer(request: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!token) throw new AuthError('no_authorization')
  return token
}

const INVALID_EMAIL = 'Unable to validate email address: invalid format'

const Email = z.string().max(254).refine(isKeepable).transform(normalEmail).pipe(z.email())

/** An address as it is stored. @throws AuthError `validation_failed` */
export function emailOf(value: unknown): string {
  return parse(Email, value, INVALID_EMAIL)
}

/** Whether PostgreSQL can keep it: no zero bytes, no halves of characters. */
export function isKeepable(value: unknown): boolean {
  return !/\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(value))
}

/** What a user says of themselves: small, and never what decides about them. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .refine((data) => JSON.stringify(data).length <= MOST_METADATA, 'is too large')
  .refine(isKeepable, 'holds what is no text')

/** The clients send `Content-Type: application/json` with no body at all, on logout for one. */
export function acceptEmptyJson(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : JSON.parse(String(text)))
    } catch {
      done(new AuthError('bad_json'))
    }
  })
}

export function toAuthError(error: unknown, request: FastifyRequest): AuthError {
  if (error instanceof AuthError) return error
  if (isDatabaseUnavailable(error)) {
    logFailure(request, error)
    return new AuthError('request_timeout', { retryAfter: 2 })
  }
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new AuthError('request_entity_too_large')
    if (error.statusCode === 400 || error.statusCode === 415) return new AuthError('bad_json')
  }
  logFailure(request, error)
  return new AuthError('unexpected_failure')
}

/** Both shapes of the protocol: clients that name a version get the newer one. */
export function sendError(error: AuthError, request: FastifyRequest, reply: FastifyReply) {
  reply.code(error.status).header('x-sb-error-code', error.code)
  if (error.retryAfter !== undefined) reply.header('Retry-After', String(error.retryAfter))
  if (error.code === 'invalid_request') {
    // What belongs to OAuth keeps its shape (RFC 6749, 5.2).
    return reply.send({ error: error.code, error_description: error.message })
  }
  const weak = error.weakPassword && { weak_password: { reasons: error.weakPassword } }
  const version = String(request.headers['x-supabase-api-version'] ?? '')
  if (/^\d{4}-\d\d-\d\d$/.test(version) && version >= API_VERSION) {
    return reply
      .header('X-Supabase-Api-Version', API_VERSION)
      .send({ code: error.code, message: error.message, ...weak })
  }
  return reply.send({ code: error.status, error_code: error.code, msg: error.message, ...weak })
}
