import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isDatabaseUnavailable, isUnstorableText } from '../../database/errors.ts'
import { FileStoreError } from '../../ports/file-store.ts'
import { isFromBrowser } from '../browser-call.ts'
import { acceptJson, MAX_JSON_BYTES } from '../request-bodies.ts'
import { logFailure } from '../request-log.ts'
import { noteAdministrator } from './administration-trail.ts'
import { bucketName, type ObjectLocation, objectName } from './names.ts'
import type { WriteMode } from './objects.store.ts'
import type { Authorize, Principal } from './principals.ts'
import { StorageError } from './storage-error.ts'

/** Bytes of a body that lists names of objects. */
const MAX_LIST_BYTES = 1024 * 1024

/** The headers that cross-origin clients may send and read. */
export const corsAllowedHeaders = [
  'authorization',
  'apikey',
  'content-type',
  'cache-control',
  'content-encoding',
  'range',
  'x-client-info',
  'x-metadata',
  'x-upsert',
  'traceparent',
  'tracestate',
  'baggage',
]
export const corsExposedHeaders = [
  'content-disposition',
  'content-length',
  'content-range',
  'etag',
  'last-modified',
  'retry-after',
  'x-transformations',
]

/** @throws StorageError `InvalidRequest` */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new StorageError('InvalidRequest', { cause: result.error })
  return result.data
}

const Bucket = z.object({ bucket: z.string() })
const Address = z.object({ bucket: z.string(), '*': z.string() })

/** The bucket in the URL. @throws StorageError `NoSuchBucket` when none can have that name */
export function bucketOf(request: FastifyRequest): string {
  return bucketName(parse(Bucket, request.params).bucket)
}

/** The object in the URL. @throws StorageError when none can have that name */
export function locationOf(request: FastifyRequest): ObjectLocation {
  const { bucket, '*': name } = parse(Address, request.params)
  return {
    bucket: bucketName(decodeQuestionMark(bucket)),
    name: objectName(decodeQuestionMark(name)),
  }
}

/** Clients encode the `%3F` of a signed URL once more. Names contain no `%`. */
const decodeQuestionMark = (text: string) => text.replaceAll(/%3F/gi, '?')

/** `upsert` when the request has `x-upsert: true`. */
export function writeModeOf({ headers }: FastifyRequest): WriteMode {
  return headers['x-upsert'] === 'true' ? 'upsert' : 'insert'
}

/** Clients without a session send the admin key, either as a bearer token or in `apikey`. */
function tokenOf({ headers }: FastifyRequest): string | undefined {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token ?? z.string().optional().catch(undefined).parse(headers['apikey'])
}

/** The principal of a request; undefined without a token. @throws StorageError `InvalidJWT` for an invalid token */
export async function principalOf(
  request: FastifyRequest,
  authorize: Authorize,
): Promise<Principal | undefined> {
  const token = tokenOf(request)
  if (!token) return undefined
  const principal = await authorize(token)
  if (!principal) throw new StorageError('InvalidJWT')
  // The key is for servers: one that a browser can send is readable by its user.
  if (principal.userId === null && isFromBrowser(request)) throw new StorageError('AccessDenied')
  noteAdministrator(request, principal)
  return principal
}

/**
 * Reads as the caller, or as the public when the token is invalid. The invalid token is reported only when the
 * object is not public.
 */
export async function readAsCallerOrPublic<T>(
  request: FastifyRequest,
  authorize: Authorize,
  read: (principal: Principal | undefined) => Promise<T>,
): Promise<T> {
  const principal = await principalOf(request, authorize).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === 'InvalidJWT') return error
    throw error
  })
  if (!(principal instanceof StorageError)) return read(principal)
  return read(undefined).catch((error: unknown) => {
    throw error instanceof StorageError && error.code === 'NoSuchKey' ? principal : error
  })
}

/** The route options for calls whose bodies list many names. Without a valid token they are as short as others. */
export function longBody(authorize: Authorize) {
  return {
    bodyLimit: MAX_LIST_BYTES,
    async onRequest(request: FastifyRequest) {
      const { 'content-length': length } = request.headers
      const isShort = length !== undefined && Number(length) <= MAX_JSON_BYTES
      if (isShort || (await principalOf(request, authorize))) return
      throw new StorageError('EntityTooLarge')
    },
  }
}

/** Parses JSON bodies. Clients state the content type even for an empty body. */
export function acceptOnlyJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  const message = 'The body is not JSON'
  acceptJson(app, { onInvalid: () => new StorageError('InvalidRequest', { message }), empty: {} })
}

export function toStorageError(error: unknown, request: FastifyRequest): StorageError {
  if (error instanceof StorageError) return error
  if (isDatabaseUnavailable(error) || error instanceof FileStoreError) {
    logFailure(request, error)
    return new StorageError('SlowDown', { cause: error })
  }
  if (isUnstorableText(error)) return new StorageError('InvalidRequest', { cause: error })
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new StorageError('EntityTooLarge', { cause: error })
    // Fastify's own errors before the handler: an unknown media type, a malformed URL.
    if (typeof error.statusCode === 'number' && error.statusCode < 500) {
      return new StorageError('InvalidRequest', { cause: error })
    }
  }
  logFailure(request, error)
  return new StorageError('InternalError', { cause: error })
}

export function sendError(error: StorageError, reply: FastifyReply) {
  for (const name of Object.keys(reply.getHeaders())) {
    // The headers of the file, which is not sent.
    if (
      /^(content-(?!security)|etag|last-modified|accept-ranges|expires|x-transformations)/.test(
        name,
      )
    ) {
      reply.removeHeader(name)
    }
  }
  if (error.status === 503) reply.header('Retry-After', '2')
  return reply
    .code(error.status)
    .headers({ ...error.headers, 'Cache-Control': 'no-store' })
    .send({
      statusCode: String(error.status),
      error: error.kind,
      code: error.code,
      message: error.message,
    })
}
