import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { bucketName, isObjectName, type ObjectLocation, objectName } from './names.ts'
import { infoJson, Metadata, removedJson } from './object-json.ts'
import { sendFile } from './send-file.ts'
import type { Storage } from './storage.service.ts'
import { StorageError } from './storage-error.ts'
import {
  bucketOf,
  locationOf,
  longBody,
  parse,
  principalOf,
  readAsCallerOrPublic,
  writeModeOf,
} from './storage-protocol.ts'

/** The maximum number of names in one call. */
const MAX_NAMES = 1000

const Removal = z.object({ prefixes: z.array(z.string()).min(1).max(MAX_NAMES) })

const Moving = z.object({
  bucketId: z.string(),
  sourceKey: z.string(),
  destinationKey: z.string(),
  destinationBucket: z.string().nullish(),
})
const Copying = Moving.extend({
  copyMetadata: z.boolean().nullish(),
  metadata: Metadata.nullish(),
})

/** Calls on existing objects. */
export function objectRoutes(app: FastifyInstance, storage: Storage) {
  const { objects } = storage

  const readable = (request: FastifyRequest, location: ObjectLocation, isPublicRoute: boolean) =>
    isPublicRoute
      ? objects.findReadable(undefined, location)
      : readAsCallerOrPublic(request, storage.authorize, (principal) =>
          objects.findReadable(principal, location),
        )

  /** Retries once when the object was replaced between reading its row and its file. */
  async function send(request: FastifyRequest, reply: FastifyReply, isPublicRoute: boolean) {
    const location = locationOf(request)
    for (let tries = 1; ; tries += 1) {
      const { object, isPublic } = await readable(request, location, isPublicRoute)
      if (await sendFile(request, reply, object, storage.files, { isPublic })) return reply
      if (tries === 2) {
        request.log.warn({ key: object.file_key }, 'the file of an object is missing')
        throw new StorageError('NoSuchKey')
      }
    }
  }

  async function info(request: FastifyRequest, isPublicRoute: boolean) {
    const { object } = await readable(request, locationOf(request), isPublicRoute)
    return infoJson(object)
  }

  const method = ['GET', 'HEAD'] as const
  for (const url of ['/object/:bucket/*', '/object/authenticated/:bucket/*']) {
    app.route({
      method: [...method],
      url,
      handler: (request, reply) => send(request, reply, false),
    })
  }
  app.route({
    method: [...method],
    url: '/object/public/:bucket/*',
    handler: (request, reply) => send(request, reply, true),
  })

  for (const url of ['/object/info/:bucket/*', '/object/info/authenticated/:bucket/*']) {
    app.route({ method: [...method], url, handler: (request) => info(request, false) })
  }
  app.route({
    method: [...method],
    url: '/object/info/public/:bucket/*',
    handler: (request) => info(request, true),
  })

  app.delete('/object/:bucket', longBody(storage.authorize), async (request) => {
    const principal = await principalOf(request, storage.authorize)
    const { prefixes } = parse(Removal, request.body)
    // Names that no object can have are treated as missing.
    const names = prefixes.filter(isObjectName)
    const removed = await objects.remove(principal, bucketOf(request), names)
    return removed.map(removedJson)
  })

  app.delete('/object/:bucket/*', async (request) => {
    const principal = await principalOf(request, storage.authorize)
    const { bucket, name } = locationOf(request)
    const removed = await objects.remove(principal, bucket, [name])
    if (removed.length === 0) throw new StorageError('NoSuchKey')
    return { message: 'Successfully deleted' }
  })

  app.post('/object/move', async (request) => {
    const principal = await principalOf(request, storage.authorize)
    const { from, to } = ends(parse(Moving, request.body))
    await objects.move(principal, from, to)
    return { message: 'Successfully moved' }
  })

  app.post('/object/copy', async (request) => {
    const principal = await principalOf(request, storage.authorize)
    const wanted = parse(Copying, request.body)
    const { from, to } = ends(wanted)
    const keepsMetadata = wanted.copyMetadata ?? true
    const copied = await objects.copy(principal, from, to, {
      mode: writeModeOf(request),
      changes: keepsMetadata ? {} : { metadata: wanted.metadata ?? null },
    })
    return { ...removedJson(copied), Id: copied.id, Key: `${to.bucket}/${to.name}` }
  })
}

function ends(wanted: z.output<typeof Moving>): { from: ObjectLocation; to: ObjectLocation } {
  const { bucketId, sourceKey, destinationKey, destinationBucket } = wanted
  return {
    from: { bucket: bucketName(bucketId), name: objectName(sourceKey) },
    to: { bucket: bucketName(destinationBucket ?? bucketId), name: objectName(destinationKey) },
  }
}
