import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../ports/file-store.ts'
import type { StoredObject } from './objects.store.ts'
import { canAccess, requireAdmin } from './principals.ts'
import { type Renderer, renditionFile } from './renderer.ts'
import { renditionOf, TransformOptions, transformationsOf } from './renditions.ts'
import { type SendOptions, sendFile } from './send-file.ts'
import type { Storage } from './storage.service.ts'
import { StorageError } from './storage-error.ts'
import {
  bucketOf,
  locationOf,
  parse,
  principalOf,
  readAsCallerOrPublic,
} from './storage-protocol.ts'

/** Image transformations, and the purging of cached renditions. */
export function renderRoutes(app: FastifyInstance, storage: Storage) {
  const { authorize, objects, renderer } = storage

  app.get('/render/image/authenticated/:bucket/*', async (request, reply) => {
    const transform = parse(TransformOptions, request.query)
    const location = locationOf(request)
    const { object, isPublic } = await readAsCallerOrPublic(request, authorize, (principal) =>
      objects.findReadable(principal, location),
    )
    return sendRendition(request, reply, renderer, { object, transform, options: { isPublic } })
  })

  app.get('/render/image/public/:bucket/*', async (request, reply) => {
    const transform = parse(TransformOptions, request.query)
    const { object } = await objects.findReadable(undefined, locationOf(request))
    return sendRendition(request, reply, renderer, {
      object,
      transform,
      options: { isPublic: true },
    })
  })

  app.delete('/cdn/:bucket/*', async (request) => {
    const principal = await principalOf(request, authorize)
    const location = locationOf(request)
    if (!canAccess(principal, location.name)) throw new StorageError('NoSuchKey')
    const { object } = await objects.findReadable(principal, location)
    await renderer.purgeObject(object)
    return { message: 'success' }
  })

  app.delete('/cdn/:bucket', async (request) => {
    const principal = await principalOf(request, authorize)
    requireAdmin(principal)
    const bucket = bucketOf(request)
    await storage.buckets.get(principal, bucket)
    await renderer.purgeBucket(bucket)
    return { message: 'success' }
  })
}

type RenditionRequest = { object: StoredObject; transform: TransformOptions; options: SendOptions }

/** @throws StorageError `NoSuchKey`, and for objects that cannot be rendered */
export async function sendRendition(
  request: FastifyRequest,
  reply: FastifyReply,
  renderer: Renderer,
  { object, transform, options }: RenditionRequest,
): Promise<FastifyReply> {
  const type = await renderer.pictureType(object)
  const rendition = renditionOf(transform, type, request.headers.accept ?? '')
  if (!transform.format) {
    reply.header('Vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join())
  }
  reply.header('X-Transformations', transformationsOf(transform))
  // Opened lazily: a response with status 304 renders nothing.
  const files = {
    open: (_key: string, range?: ByteRange) => renderer.open(object, rendition, range),
  }
  const isSent = await sendFile(request, reply, renditionFile(object, rendition), files, options)
  if (!isSent) throw new StorageError('NoSuchKey')
  return reply
}
