import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { networkOf } from '../rate-limits.ts'
import { acceptJson } from '../request-bodies.ts'
import { logFailure } from '../request-log.ts'
import type { Caller } from './auth-context.ts'
import { AuthError } from './auth-error.ts'
import { MAX_METADATA } from './metadata.ts'
import { normalizeEmail } from './users.store.ts'

const API_VERSION = '2024-01-01'

/** The headers that cross-origin clients may send and read. */
export const corsAllowedHeaders = [
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
export const corsExposedHeaders = ['x-total-count', 'link', 'x-supabase-api-version', 'retry-after']

/** @throws AuthError `validation_failed` with the given message */
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

/** Longer user agents are cut: the client controls the header. */
const AGENT_LENGTH = 300

export function callerOf(request: FastifyRequest): Caller {
  return callerFrom({ ip: request.ip, agent: request.headers['user-agent'] })
}

/** @param from the IP address and the `User-Agent` header */
export function callerFrom(from: { ip: string; agent: string | undefined }): Caller {
  const agent = from.agent?.slice(0, AGENT_LENGTH)
  return { address: networkOf(from.ip), agent: agent && isStorableText(agent) ? agent : null }
}

export function bearerToken(request: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!token) throw new AuthError('no_authorization')
  return token
}

const INVALID_EMAIL = 'Unable to validate email address: invalid format'

const Email = z.string().max(254).refine(isStorableText).transform(normalizeEmail).pipe(z.email())

/** A mail address in its stored form. @throws AuthError `validation_failed` */
export function emailOf(value: unknown): string {
  return parse(Email, value, INVALID_EMAIL)
}

const INVALID_PHONE = 'Invalid phone number format (E.164 required)'

/** Phones are not offered, but their numbers are checked as in the reference. @throws AuthError `validation_failed` */
export function requirePhone(value: string): void {
  const digits = value.replaceAll(' ', '').replace(/^\+/, '')
  parse(z.string().regex(/^[1-9]\d{1,14}$/), digits, INVALID_PHONE)
}

/** Whether PostgreSQL can store the text: no null characters, no lone surrogates. */
export function isStorableText(value: unknown): boolean {
  return !/\\u0000|\\ud[89a-f][0-9a-f]{2}/i.test(JSON.stringify(value))
}

/** A user's own metadata. No decision depends on it. */
export const Metadata = z
  .record(z.string(), z.unknown())
  .refine((data) => JSON.stringify(data).length <= MAX_METADATA, 'is too large')
  .refine(isStorableText, 'holds what is no text')

/** Clients send `Content-Type: application/json` without a body, for example on logout. */
export function acceptEmptyJson(app: FastifyInstance) {
  acceptJson(app, { onInvalid: () => new AuthError('bad_json'), empty: {} })
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

/** The protocol has two formats of errors: clients that send an API version get the newer one. */
export function sendError(error: AuthError, request: FastifyRequest, reply: FastifyReply) {
  reply.code(error.status).header('x-sb-error-code', error.code)
  if (error.retryAfter !== undefined) reply.header('Retry-After', String(error.retryAfter))
  if (error.code === 'invalid_request') {
    // OAuth errors have a format of their own (RFC 6749, 5.2).
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
