import type { FastifyInstance } from 'fastify'
import { allowOrigins, forbidCaching } from '../browser-call.ts'
import { adminRoutes } from './admin.routes.ts'
import type { AuthService } from './auth.service.ts'
import { AuthError } from './auth-error.ts'
import {
  acceptEmptyJson,
  corsAllowedHeaders,
  corsExposedHeaders,
  sendError,
  toAuthError,
} from './auth-protocol.ts'
import { externalRoutes } from './external.routes.ts'
import { factorRoutes } from './factors.routes.ts'
import { infoRoutes } from './info.routes.ts'
import { mailRoutes } from './mail.routes.ts'
import { sessionRoutes } from './session.routes.ts'
import { verifyRoutes } from './verify.routes.ts'

/**
 * `/auth/v1` in the GoTrue protocol, for the unmodified `@supabase/auth-js`. Every 2xx response is JSON, except
 * for logout and the confirmation pages. A temporary failure of a refresh is a 503, never a 500: older clients
 * sign out on any error but 502, 503 and 504.
 */
export async function authRoutes(app: FastifyInstance, { auth }: { auth: AuthService }) {
  acceptEmptyJson(app)
  app.setErrorHandler((error, request, reply) =>
    sendError(toAuthError(error, request), request, reply),
  )
  app.setNotFoundHandler((request, reply) => sendError(new AuthError('not_found'), request, reply))
  forbidCaching(app)
  await allowOrigins(app, auth.settings.origins, {
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: corsAllowedHeaders,
    exposedHeaders: corsExposedHeaders,
  })
  sessionRoutes(app, auth)
  factorRoutes(app, auth)
  if (auth.external) externalRoutes(app, auth, auth.external)
  mailRoutes(app, auth)
  adminRoutes(app, auth)
  infoRoutes(app, auth)
  await app.register(verifyRoutes, { auth })
}
