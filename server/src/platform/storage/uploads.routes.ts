import type { FastifyInstance, FastifyRequest } from 'fastify'
import { drain } from '../../http/unread-body.ts'
import { typeOf, UNKNOWN_TYPE } from './content-types.ts'
import type { Where } from './objects.store.ts'
import { holderOf, placeOf, placeWanted } from './protocol.ts'
import { signedUploadRoute } from './signed.routes.ts'
import type { Storage } from './storage.service.ts'

/** Milliseconds for a body: the largest file on a slow line. */
const UPLOAD_TIME_MS = 15 * 60_000

/** Bodies of these are files: they are left as they come, for whoever has checked that they may. */
function acceptFiles(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, body, done) => done(null, body))
  app.addHook('onRequest', (request, _reply, done) => {
    // Older clients send `undefined` where nobody has said a type; Fastify takes no such request.
    const { headers } = request.raw
    if (typeOf(headers['content-type'] ?? '') === undefined) headers['content-type'] = UNKNOWN_TYPE
    done()
  })
  app.addHook('onSend', (request, _reply, payload, done) => {
    drain(request.raw)
    done(null, payload)
  })
}

/** Uploads to where the caller may. */
export async function uploadRoutes(app: FastifyInstance, { storage }: { storage: Storage }) {
  acceptFiles(app)
  const config = { bodyTimeMs: UPLOAD_TIME_MS }

  async function upload(request: FastifyRequest, where: Where) {
    const holder = await holderOf(request, storage.authorize)
    const place = placeOf(request)
    const object = await storage.objects.upload(holder, place, request.raw, { where })
    return { Id: object.id, Key: `${place.bucket}/${place.name}` }
  }

  app.post('/object/:bucket/*', { config }, (request) => upload(request, placeWanted(request)))
  // In the protocol it makes what is not there yet.
  app.put('/object/:bucket/*', { config }, (request) => upload(request, 'any'))
  signedUploadRoute(app, storage, { config })
}
