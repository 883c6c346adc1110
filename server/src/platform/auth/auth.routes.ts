import type { FastifyInstance } from 'fastify'
import { adminRoutes } from './admin.routes.ts'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import { externalRoutes } from './external.routes.ts'
import { factorRoutes } from './factors.routes.ts'
import { infoRoutes } from './info.routes.ts'
import { mailRoutes } from './mail.routes.ts'
import {
  acceptEmptyJson,
  readableHeaders,
  requestHeaders,
  sendError,
  toAuthError,
} from './protocol.ts'
import { sessionRoutes } from './session.routes.ts'
import { verifyPages } from './verify-pages.ts'

/**
 * `/auth/v1` in the GoTrue protocol, for the unchanged `@supabase/auth-js`. Every 2xx is JSON (logout
 * and the pages of links apart), and a refresh never fails with 500 for a cause that passes: older
 * clients sign the user out on anything but 502, 503 and 504.
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
  if (auth.settings.origins.length > 0) {
    const { default: cors } = await import('@fastify/cors')
    await app.register(cors, {
      origin: [...auth.settings.origins],
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: requestHeaders,
      exposedHeaders: readableHeaders,
      maxAge: 600,
    })
  }
  sessionRoutes(app, auth)
  factorRoutes(app, auth)
  if (auth.external) externalRoutes(app, auth, auth.external)
  mailRoutes(app, auth)
  adminRoutes(app, auth)
  infoRoutes(app, auth)
  await app.register(verifyPages, { auth })
}
