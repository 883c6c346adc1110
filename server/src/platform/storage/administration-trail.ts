import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type Audit, FILES_ADMINISTERED } from '../audit.ts'
import { callerOf } from '../auth/auth-protocol.ts'
import type { Principal } from './principals.ts'

const administrators = new WeakMap<FastifyRequest, Principal>()

/** Remembers the principal of a request until its response, if it is an administrator or has the admin key. */
export function noteAdministrator(request: FastifyRequest, principal: Principal): void {
  if (principal.isAdmin) administrators.set(request, principal)
}

/** Where the calls of the protocol name buckets and objects. */
const Named = z
  .object({
    bucket: z.string(),
    '*': z.string(),
    id: z.string(),
    name: z.string(),
    bucketId: z.string(),
    sourceKey: z.string(),
    destinationKey: z.string(),
    prefix: z.string(),
    prefixes: z.array(z.string()),
    paths: z.array(z.string()),
  })
  .partial()
  .catch({})

/**
 * Records in the audit log what administrators, and servers with the admin key, do to buckets and to the files of
 * pharmacies. A person's reading of files is recorded too; a server's is its work. The event is written before the
 * response, so that no successful call goes unrecorded.
 */
export function recordAdministration(app: FastifyInstance, audit: Pick<Audit, 'record'>) {
  app.addHook('onSend', async (request, reply, payload) => {
    const principal = administrators.get(request)
    if (!principal || reply.statusCode >= 400) return payload
    const call = request.routeOptions.url ?? ''
    const isReading = ['GET', 'HEAD'].includes(request.method) || call.includes('/object/list')
    if (isReading && (principal.userId === null || call.includes('/bucket'))) return payload
    const { bucket, pharmacies } = subjectsOf(request)
    const folders = pharmacies.filter((folder) => folder !== principal.folder)
    // An administrator's own pharmacy is not administered.
    if (pharmacies.length > 0 && folders.length === 0) return payload
    for (const userId of folders.length > 0 ? folders : [null]) {
      await audit.record({
        action: FILES_ADMINISTERED,
        userId,
        actorId: principal.userId,
        role: principal.userId === null ? 'key' : 'admin',
        ...callerOf(request),
        details: { call: `${request.method} ${call}`, bucket, withKey: principal.userId === null },
      })
    }
    return payload
  })
}

/** The bucket, and the pharmacies whose folders are named. */
function subjectsOf({ params, body }: FastifyRequest) {
  const [address, given] = [Named.parse(params), Named.parse(body)]
  const { sourceKey, destinationKey, prefix, prefixes = [], paths = [] } = given
  const names = [address['*'], sourceKey, destinationKey, prefix, ...prefixes, ...paths]
  const folders = names.map((name) => z.uuid().safeParse(name?.split('/')[0]).data)
  return {
    bucket: address.bucket ?? given.bucketId ?? given.id ?? given.name ?? null,
    pharmacies: [...new Set(folders.filter((folder) => folder !== undefined))],
  }
}
