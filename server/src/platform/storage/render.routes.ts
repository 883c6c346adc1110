import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../ports/file-store.ts'
import { type Authorize, mustAdminister, reaches } from './access.ts'
import type { Buckets } from './buckets.service.ts'
import { type Drawer, drawnFile } from './drawer.ts'
import { drawingOf, Wish } from './drawings.ts'
import type { Objects } from './objects.service.ts'
import type { StoredObject } from './objects.store.ts'
import { bucketOf, holderOf, parse, placeOf, readFor } from './protocol.ts'
import { type Sending, sendFile } from './sending.ts'
import { StorageError } from './storage-error.ts'

type Storage = {
  authorize: Authorize
  objects: Pick<Objects, 'readable'>
  buckets: Pick<Buckets, 'get'>
  drawer: Drawer
}

/** Pictures as a screen wants them, and the forgetting of what was drawn. */
export function renderRoutes(app: FastifyInstance, storage: Storage) {
  const { authorize, objects, drawer } = storage

  app.get('/render/image/authenticated/:bucket/*', async (request, reply) => {
    const wish = parse(Wish, request.query)
    const place = placeOf(request)
    const { object, isPublic } = await readFor(request, authorize, (holder) =>
      objects.readable(holder, place),
    )
    return sendDrawing(request, reply, drawer, { object, wish, sending: { isPublic } })
  })

  app.get('/render/image/public/:bucket/*', async (request, reply) => {
    const wish = parse(Wish, request.query)
    const { object } = await objects.readable(undefined, placeOf(request))
    return sendDrawing(request, reply, drawer, { object, wish, sending: { isPublic: true } })
  })

  app.delete('/cdn/:bucket/*', async (request) => {
    const holder = await holderOf(request, authorize)
    const place = placeOf(request)
    if (!reaches(holder, place.name)) throw new StorageError('NoSuchKey')
    const { object } = await objects.readable(holder, place)
    await drawer.purgeObject(object)
    return { message: 'success' }
  })

  app.delete('/cdn/:bucket', async (request) => {
    const holder = await holderOf(request, authorize)
    mustAdminister(holder)
    const bucket = bucketOf(request)
    await storage.buckets.get(holder, bucket)
    await drawer.purgeBucket(bucket)
    return { message: 'success' }
  })
}

type Drawn = { object: StoredObject; wish: Wish; sending: Sending }

/** @throws StorageError `NoSuchKey`, and for what cannot be drawn */
export async function sendDrawing(
  request: FastifyRequest,
  reply: FastifyReply,
  drawer: Drawer,
  { object, wish, sending }: Drawn,
): Promise<FastifyReply> {
  const drawing = drawingOf(wish, object.content_type, request.headers.accept ?? '')
  if (!wish.format) reply.header('Vary', [reply.getHeader('vary'), 'Accept'].filter(Boolean).join())
  // What is known already is not even drawn.
  const files = { open: (_key: string, range?: ByteRange) => drawer.open(object, drawing, range) }
  const isSent = await sendFile(request, reply, drawnFile(object, drawing), files, sending)
  if (!isSent) throw new StorageError('NoSuchKey')
  return reply
}
