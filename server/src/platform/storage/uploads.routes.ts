import type { FastifyInstance, FastifyRequest } from 'fastify'
import { drainBody } from '../request-bodies.ts'
import { mediaTypeOf, UNKNOWN_TYPE } from './content-types.ts'
import type { WriteMode } from './objects.store.ts'
import { signedUploadRoute } from './signed.routes.ts'
import type { Storage } from './storage.service.ts'
import { locationOf, principalOf, writeModeOf } from './storage-protocol.ts'

/** The timeout of a body in milliseconds: the largest file over a slow connection. */
const UPLOAD_TIME_MS = 15 * 60_000

/** Bodies are files here: they are not parsed, but passed on to the handler as streams. */
function acceptFiles(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, _reply, done) => {
    // Older clients send `undefined` as the type, which Fastify refuses.
    const { headers } = request.raw
    if (mediaTypeOf(headers['content-type'] ?? '') === undefined) {
      headers['content-type'] = UNKNOWN_TYPE
    }
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    drainBody(request.raw)
    done(null, payload)
  })
}

/** Direct uploads by a caller with access. */
export async function uploadRoutes(app: FastifyInstance, { storage }: { storage: Storage }) {
  acceptFiles(app)
  const config = { bodyTimeoutMs: UPLOAD_TIME_MS }

  async function upload(request: FastifyRequest, mode: WriteMode) {
    const principal = await principalOf(request, storage.authorize)
    const location = locationOf(request)
    const object = await storage.objects.upload(principal, location, request.raw, { mode })
    return { Id: object.id, Key: `${location.bucket}/${location.name}` }
  }

  app.post('/object/:bucket/*', { config }, (request) => upload(request, writeModeOf(request)))
  // In the protocol PUT also creates an object.
  app.put('/object/:bucket/*', { config }, (request) => upload(request, 'upsert'))
  signedUploadRoute(app, storage, { config })
}
