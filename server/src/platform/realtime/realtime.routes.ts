import type { FastifyInstance } from 'fastify'
import { isDatabaseUnavailable } from '../../database/errors.ts'
import { acceptJson } from '../../http/json-body.ts'
import { logFailure } from '../../http/request-log.ts'
import { broadcastRoutes } from './broadcast.routes.ts'
import { HttpError } from './http-error.ts'
import type { Realtime } from './realtime.service.ts'
import { websocketRoute } from './websocket.routes.ts'

/** `/realtime/v1`. Every error response is JSON with an `error`. */
export async function realtimeRoutes(app: FastifyInstance, { realtime }: { realtime: Realtime }) {
  const { frameBytes } = realtime.limits
  app.removeContentTypeParser('text/plain')
  acceptJson(app, { onInvalid: () => new HttpError(400, 'The request is not valid') })
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer', bodyLimit: frameBytes },
    (_request, body, done) => done(null, body),
  )
  app.setErrorHandler((error, request, reply) => {
    const refused = refusalOf(error)
    if (refused.status >= 500) logFailure(request, error)
    if (refused.status === 503 || refused.status === 429) reply.header('Retry-After', '2')
    return reply.code(refused.status).send({ error: refused.message })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }))
  app.addHook('onSend', async (_request, reply) => {
    reply.header('Cache-Control', 'no-store')
  })
  if (realtime.origins.length > 0) {
    const { default: cors } = await import('@fastify/cors')
    await app.register(cors, {
      origin: [...realtime.origins],
      methods: ['POST'],
      allowedHeaders: ['authorization', 'apikey', 'content-type', 'x-client-info'],
      maxAge: 600,
    })
  }
  websocketRoute(app, realtime)
  broadcastRoutes(app, realtime)
}

function refusalOf(error: unknown): HttpError {
  if (error instanceof HttpError) return error
  if (isDatabaseUnavailable(error)) return new HttpError(503, 'Try again')
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new HttpError(413, 'The message is too large')
    if (error.statusCode === 415) return new HttpError(415, 'This type of content is not known')
    if (error.statusCode === 400) return new HttpError(400, 'The request is not valid')
  }
  return new HttpError(500, 'Internal error')
}
