import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'

const API_VERSION = '2024-01-01'

const PasswordGrant = z.object({ email: z.string().min(1), password: z.string().min(1) })
const RefreshGrant = z.object({ refresh_token: z.string() })
const Scope = z.enum(['global', 'local', 'others']).default('global')
const Query = z.record(z.string(), z.unknown())

/**
 * `/auth/v1` in the GoTrue protocol, for the unchanged `@supabase/auth-js`. Every 2xx is JSON (logout
 * apart), and a refresh never fails with 500 for a cause that passes: older clients sign the user out
 * on anything but 502, 503 and 504.
 */
export async function authRoutes(app: FastifyInstance, { auth }: { auth: AuthService }) {
  acceptEmptyJson(app)
  app.setErrorHandler((error, request, reply) =>
    sendError(toAuthError(error, request), request, reply),
  )
  app.setNotFoundHandler((request, reply) => sendError(new AuthError('not_found'), request, reply))
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
  })

  app.post('/token', async (request) => {
    const grant = Query.parse(request.query)['grant_type']
    if (grant === 'password') {
      const body = parse(
        PasswordGrant,
        request.body,
        'You must provide either an email or phone number and a password',
      )
      return auth.signInWithPassword(body.email, body.password)
    }
    if (grant === 'refresh_token') {
      return auth.refresh(
        parse(RefreshGrant, request.body, 'Refresh token is not valid').refresh_token,
      )
    }
    throw new AuthError('invalid_credentials', { message: 'unsupported_grant_type' })
  })

  app.get('/user', (request) => auth.user(bearer(request)))

  app.post('/logout', async (request, reply) => {
    const scope = parse(Scope, Query.parse(request.query)['scope'], 'Unsupported logout scope')
    await auth.logout(bearer(request), scope)
    return reply.code(204).send()
  })

  app.get('/.well-known/jwks.json', async (_request, reply) => {
    reply.header('Cache-Control', 'public, max-age=600')
    return auth.jwks()
  })
}

/** The clients send `Content-Type: application/json` with no body at all, on logout for one. */
function acceptEmptyJson(app: FastifyInstance) {
  app.removeContentTypeParser('application/json')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : JSON.parse(String(text)))
    } catch {
      done(new AuthError('bad_json'))
    }
  })
}

function parse<S extends z.ZodType>(schema: S, value: unknown, message: string): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new AuthError('validation_failed', { message })
  return result.data
}

function bearer(request: FastifyRequest): string {
  const [, token] = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  if (!token) throw new AuthError('no_authorization')
  return token
}

function toAuthError(error: unknown, request: FastifyRequest): AuthError {
  if (error instanceof AuthError) return error
  if (isDatabaseUnavailable(error)) {
    request.log.warn({ err: error }, 'the database is not available')
    return new AuthError('request_timeout')
  }
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new AuthError('request_entity_too_large')
    if (error.statusCode === 400 || error.statusCode === 415) return new AuthError('bad_json')
  }
  request.log.error({ err: error }, 'unexpected failure')
  return new AuthError('unexpected_failure')
}

/** Both shapes of the protocol: clients that name a version get the newer one. */
function sendError(error: AuthError, request: FastifyRequest, reply: FastifyReply) {
  reply.code(error.status).header('x-sb-error-code', error.code)
  if (String(request.headers['x-supabase-api-version'] ?? '') >= API_VERSION) {
    return reply
      .header('X-Supabase-Api-Version', API_VERSION)
      .send({ code: error.code, message: error.message })
  }
  return reply.send({ code: error.status, error_code: error.code, msg: error.message })
}
