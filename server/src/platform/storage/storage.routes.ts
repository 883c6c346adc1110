import type { FastifyInstance } from 'fastify'
import { recordAdministration } from './administration-trail.ts'
import { bucketRoutes } from './buckets.routes.ts'
import { listRoutes } from './lists.routes.ts'
import { objectRoutes } from './objects.routes.ts'
import {
  acceptOnlyJson,
  corsAllowedHeaders,
  corsExposedHeaders,
  sendError,
  toStorageError,
} from './protocol.ts'
import { renderRoutes } from './render.routes.ts'
import { signedRoutes } from './signed.routes.ts'
import type { Storage } from './storage.service.ts'
import { StorageError } from './storage-error.ts'
import { uploadRoutes } from './uploads.routes.ts'

/** `/storage/v1` in the protocol of Supabase Storage, for the unmodified `@supabase/storage-js`. */
export async function storageRoutes(app: FastifyInstance, { storage }: { storage: Storage }) {
  acceptOnlyJson(app)
  app.setErrorHandler((error, request, reply) => sendError(toStorageError(error, request), reply))
  app.setNotFoundHandler((_request, reply) => sendError(new StorageError('NotFound'), reply))
  app.addHook('onSend', async (_request, reply) => {
    if (!reply.hasHeader('Cache-Control')) reply.header('Cache-Control', 'no-store')
  })
  recordAdministration(app, storage.audit)
  if (storage.origins.length > 0) {
    const { default: cors } = await import('@fastify/cors')
    await app.register(cors, {
      origin: [...storage.origins],
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: corsAllowedHeaders,
      exposedHeaders: corsExposedHeaders,
      maxAge: 600,
    })
  }
  bucketRoutes(app, storage)
  objectRoutes(app, storage)
  listRoutes(app, storage)
  signedRoutes(app, storage)
  renderRoutes(app, storage)
  await app.register(uploadRoutes, { storage })
}
