import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { isDatabaseUnavailable, isImpossibleText } from '../../database/errors.ts'
import { logFailure } from '../../http/request-log.ts'
import { FileStoreError } from '../../ports/file-store.ts'
import { isFromBrowser } from '../browser-call.ts'
import type { Authorize, Holder } from './access.ts'
import { bucketName, objectName, type Place } from './names.ts'
import type { Where } from './objects.store.ts'
import { StorageError } from './storage-error.ts'

/** What clients send and may read, as cross-origin requests must be told. */
export const requestHeaders = [
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
export const readableHeaders = [
  'content-disposition',
  'content-length',
  'content-range',
  'etag',
  'last-modified',
  'retry-after',
]

/** @throws StorageError `InvalidRequest` */
export function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const result = schema.safeParse(value)
  if (!result.success) throw new StorageError('InvalidRequest', { cause: result.error })
  return result.data
}

const Bucket = z.object({ bucket: z.string() })
const Address = z.object({ bucket: z.string(), '*': z.string() })

/** The bucket of the address. @throws StorageError `NoSuchBucket` when none can have that name */
export function bucketOf(request: FastifyRequest): string {
  return bucketName(parse(Bucket, request.params).bucket)
}

/** The object of the address. @throws StorageError when none can be there */
export function placeOf(request: FastifyRequest): Place {
  const { bucket, '*': name } = parse(Address, request.params)
  return { bucket: bucketName(twice(bucket)), name: objectName(twice(name)) }
}

/** The clients encode the `%3F` of a signed link once more. No name has a `%` of its own. */
const twice = (text: string) => text.replaceAll(/%3F/gi, '?')

/** Where something may be put: wherever, if the caller says so. */
export function placeWanted({ headers }: FastifyRequest): Where {
  return headers['x-upsert'] === 'true' ? 'any' : 'empty'
}

/** Clients that have no session give their key, some in the one place and some in the other. */
function tokenOf({ headers }: FastifyRequest): string | undefined {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  return token ?? z.string().optional().catch(undefined).parse(headers['apikey'])
}

/**
 * Who calls; undefined for somebody without a token.
 * @throws StorageError `InvalidJWT` when there is one that opens nothing
 */
export async function holderOf(
  request: FastifyRequest,
  authorize: Authorize,
): Promise<Holder | undefined> {
  const token = tokenOf(request)
  if (!token) return undefined
  const holder = await authorize(token)
  if (!holder) throw new StorageError('InvalidJWT')
  // The key is for servers: where a browser can send it, anybody can read it.
  if (holder.userId === null && isFromBrowser(request)) throw new StorageError('AccessDenied')
  return holder
}

/**
 * Reads what the caller may, or what everybody may: for that any token will do. One that opens nothing is
 * told of when there is nothing else to say.
 */
export async function readFor<T>(
  request: FastifyRequest,
  authorize: Authorize,
  read: (holder: Holder | undefined) => Promise<T>,
): Promise<T> {
  const holder = await holderOf(request, authorize).catch((error: unknown) => {
    if (error instanceof StorageError && error.code === 'InvalidJWT') return error
    throw error
  })
  if (!(holder instanceof StorageError)) return read(holder)
  return read(undefined).catch((error: unknown) => {
    throw error instanceof StorageError && error.code === 'NoSuchKey' ? holder : error
  })
}

/** Bodies of calls. The clients say that they send JSON when they send nothing at all. */
export function acceptJson(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, text === '' ? {} : JSON.parse(String(text)))
    } catch {
      done(new StorageError('InvalidRequest', { message: 'The body is not JSON' }))
    }
  })
}

export function toStorageError(error: unknown, request: FastifyRequest): StorageError {
  if (error instanceof StorageError) return error
  if (isDatabaseUnavailable(error) || error instanceof FileStoreError) {
    logFailure(request, error)
    return new StorageError('SlowDown', { cause: error })
  }
  if (isImpossibleText(error)) return new StorageError('InvalidRequest', { cause: error })
  if (error instanceof Error && 'statusCode' in error) {
    if (error.statusCode === 413) return new StorageError('EntityTooLarge', { cause: error })
    // What Fastify itself refuses before a handler runs: an unknown media type, a bad address.
    if (typeof error.statusCode === 'number' && error.statusCode < 500) {
      return new StorageError('InvalidRequest', { cause: error })
    }
  }
  logFailure(request, error)
  return new StorageError('InternalError', { cause: error })
}

export function sendError(error: StorageError, reply: FastifyReply) {
  for (const name of Object.keys(reply.getHeaders())) {
    // What was said of a file that is not sent after all.
    if (/^(content-(?!security)|etag|last-modified|accept-ranges|expires)/.test(name)) {
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
