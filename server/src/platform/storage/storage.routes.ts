import type { FastifyInstance } from 'fastify'
import { allowOrigins, forbidCaching } from '../browser-call.ts'
import { recordAdministration } from './administration-trail.ts'
import { bucketRoutes } from './buckets.routes.ts'
import { listRoutes } from './lists.routes.ts'
import { objectRoutes } from './objects.routes.ts'
import { renderRoutes } from './render.routes.ts'
import { signedRoutes } from './signed.routes.ts'
import type { Storage } from './storage.service.ts'
import { StorageError } from './storage-error.ts'
import {
  acceptOnlyJson,
  corsAllowedHeaders,
  corsExposedHeaders,
  sendError,
  toStorageError,
} from './storage-protocol.ts'
import { uploadRoutes } from './uploads.routes.ts'

/** `/storage/v1` in the protocol of Supabase Storage, for the unmodified `@supabase/storage-js`. */
export async function storageRoutes(app: FastifyInstance, { storage }: { storage: Storage }) {
  acceptOnlyJson(app)
  app.setErrorHandler((error, request, reply) => sendError(toStorageError(error, request), reply))
  app.setNotFoundHandler((_request, reply) => sendError(new StorageError('NotFound'), reply))
  forbidCaching(app)
  recordAdministration(app, storage.audit)
  await allowOrigins(app, storage.origins, {
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: corsAllowedHeaders,
    exposedHeaders: corsExposedHeaders,
  })
  bucketRoutes(app, storage)
  objectRoutes(app, storage)
  listRoutes(app, storage)
  signedRoutes(app, storage)
  renderRoutes(app, storage)
  await app.register(uploadRoutes, { storage })
}
