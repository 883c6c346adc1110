import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createFailureQueue } from './failure-queue.ts'
import { type ListenOptions, listen } from './listening.ts'
import { createObjects, type Objects, type StoredObject } from './s3/objects.ts'
import {
  internalError,
  invalidArgument,
  noSuchBucket,
  noSuchKey,
  notImplemented,
  S3Error,
  slowDown,
} from './s3/s3-error.ts'
import { checkSignature, type Keys, sha256 } from './s3/signature.ts'
import { xml } from './s3/xml.ts'

/**
 * The failures of the next `times` requests; without it, of all.
 * - `500`, `slow-down`: a temporary error
 * - `hang-up`: no response
 * - `lost-reply`: executed, and not answered
 * - `slow`: answered after `delayMs`
 * - `truncated`, `stalled`: half of the body, and then the connection ends or stalls
 */
export const S3Failure = z.object({
  mode: z.enum(['ok', '500', 'slow-down', 'hang-up', 'lost-reply', 'slow', 'truncated', 'stalled']),
  delayMs: z.number().int().min(0).default(30_000),
  times: z.number().int().min(1).optional(),
})
export type S3Failure = z.input<typeof S3Failure>

type Reply = { status: number; headers?: Record<string, string>; body?: Buffer | string }

/** An object, or the requested range of it. @throws S3Error */
function objectReply(object: StoredObject, range: string | undefined): Reply {
  const { content, etag } = object
  const headers = {
    ...object.headers,
    etag,
    'last-modified': new Date(object.modified).toUTCString(),
    'accept-ranges': 'bytes',
  }
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
  if (from === undefined || to === undefined) return { status: 200, headers, body: content }
  const size = content.byteLength
  const [start, end] = [Number(from), Math.min(Number(to), size - 1)]
  if (start >= size) {
    throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable', {
      ActualObjectSize: String(size),
    })
  }
  return {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${start}-${end}/${size}` },
    body: content.subarray(start, end + 1),
  }
}

/** The number of keys in a page. */
const PAGE = 1000

/** The response of ListObjectsV2. @throws S3Error */
function listObjects(bucket: string, objects: Objects, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? ''
  const token = query.get('continuation-token')
  const keys = objects.keys().filter((key) => key.startsWith(prefix))
  const from = token === null ? 0 : keys.findIndex((key) => tokenOf(key) === token) + 1
  if (token !== null && from === 0) {
    throw invalidArgument('The continuation token provided is incorrect')
  }
  const page = keys.slice(from, from + PAGE)
  const last = page.at(-1)
  const isTruncated = from + PAGE < keys.length
  return xml('ListBucketResult', {
    Name: bucket,
    Prefix: prefix,
    MaxKeys: PAGE,
    KeyCount: page.length,
    IsTruncated: isTruncated,
    ...(isTruncated && last !== undefined && { NextContinuationToken: tokenOf(last) }),
    Contents: page.map((key) => contentsOf(key, objects)),
  })
}

function contentsOf(key: string, objects: Objects) {
  const object = objects.get(key)
  return {
    Key: key,
    LastModified: new Date(object?.modified ?? 0).toISOString(),
    ETag: object?.etag ?? '',
    Size: object?.content.byteLength ?? 0,
    StorageClass: 'STANDARD',
  }
}

function tokenOf(key: string): string {
  return Buffer.from(key).toString('base64url')
}

export type S3Options = ListenOptions & {
  bucket?: string
  region?: string
  keys?: Keys
  now?: () => number
}

export type S3Sandbox = {
  /** The endpoint, for path-style URLs. */
  url: string
  bucket: string
  region: string
  keys: Keys
  /** Direct access without signatures and failures. */
  names(): string[]
  object(key: string): StoredObject | undefined
  fail(failure: S3Failure): void
  /** The number of requests, including refused ones. */
  requests(): number
  close(): Promise<void>
}

/** The supported query parameters; S3 has many more, with other operations. */
const KNOWN = {
  object: new Set(['x-id']),
  bucket: new Set(['x-id', 'list-type', 'prefix', 'continuation-token']),
}

/**
 * A stand-in for S3 with one bucket in memory: HTTP, signatures, ranges and errors, and the calls that the file store
 * makes. Path-style URLs only.
 */
export async function startS3(options: S3Options = {}): Promise<S3Sandbox> {
  const {
    bucket = 'bancone',
    region = 'eu-south-1',
    keys = { id: 'AKIASANDBOX', secret: 'a secret of the sandbox' },
    now = Date.now,
  } = options
  const objects = createObjects(now)
  const failures = createFailureQueue(S3Failure, { mode: 'ok' })
  let requests = 0

  /** Checks who sends a request, and that its body is the signed one. */
  function check(request: IncomingMessage, body: Buffer): void {
    const contentHash = checkSignature(request, { keys, region, now: now() })
    if (contentHash.startsWith('STREAMING-')) throw notImplemented()
    if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha256(body)) {
      const message = "The provided 'x-amz-content-sha256' header does not match what was computed."
      throw new S3Error(400, 'XAmzContentSHA256Mismatch', message)
    }
  }

  function answer(request: IncomingMessage, body: Buffer): Reply {
    const target = new URL(request.url ?? '/', 'http://sandbox')
    check(request, body)
    const [, named = '', name = ''] = /^\/([^/]*)\/?(.*)$/.exec(target.pathname) ?? []
    const key = decodeURIComponent(name)
    const known = KNOWN[key === '' ? 'bucket' : 'object']
    const isOdd = [...target.searchParams.keys()].some((part) => !known.has(part))
    if (isOdd || request.headers['x-amz-copy-source'] !== undefined) throw notImplemented()
    if (named !== bucket) throw noSuchBucket(named)

    const call = `${request.method} ${key === '' ? 'bucket' : 'object'}`
    if (call === 'GET bucket') {
      const found = listObjects(bucket, objects, target.searchParams)
      return { status: 200, headers: { 'content-type': 'application/xml' }, body: found }
    }
    if (call === 'PUT object') {
      const { etag } = objects.put(key, body, request.headers['content-type'])
      return { status: 200, headers: { etag } }
    }
    if (call === 'DELETE object') {
      objects.remove(key)
      return { status: 204 }
    }
    if (call !== 'GET object') throw notImplemented()
    const object = objects.get(key)
    if (!object) throw noSuchKey(key)
    return objectReply(object, request.headers.range)
  }

  async function serve(request: IncomingMessage, response: ServerResponse) {
    requests += 1
    const { mode, delayMs } = failures.next()
    if (mode === 'hang-up') return request.socket.destroy()
    if (mode === 'slow') await pause(delayMs, undefined, { ref: false })
    const body = await buffer(request)
    if (mode === '500') throw internalError()
    if (mode === 'slow-down') throw slowDown()
    const reply = answer(request, body)
    if (mode === 'lost-reply') return request.socket.destroy()
    if (mode !== 'truncated' && mode !== 'stalled') return send(response, reply)
    const whole = Buffer.from(reply.body ?? '')
    response.writeHead(reply.status, { ...reply.headers, 'content-length': whole.byteLength })
    response.write(whole.subarray(0, Math.floor(whole.byteLength / 2)), () => {
      if (mode === 'truncated') request.socket.destroy()
    })
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      const { status, body } = error instanceof S3Error ? error : internalError()
      send(response, { status, headers: { 'content-type': 'application/xml' }, body })
    })
  })
  const { origin, close } = await listen(server, options)

  return {
    url: origin,
    bucket,
    region,
    keys,
    names: objects.keys,
    object: objects.get,
    fail: failures.set,
    requests: () => requests,
    close,
  }
}

function send(response: ServerResponse, { status, headers = {}, body = '' }: Reply): void {
  const length = status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }
  response.writeHead(status, { ...headers, ...length, 'x-amz-request-id': 'SANDBOX' })
  response.end(body)
}
